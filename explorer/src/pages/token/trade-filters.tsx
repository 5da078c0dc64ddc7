import { useId, useState } from "react";
import { parseAmount } from "../../format/amount-input.ts";
import { ADDRESS } from "../../format/hex.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Select, TradeSideChoice } from "../../ui/controls/choice.tsx";
import { usePoolOptions } from "./pool-options.ts";
import styles from "./token.module.css";
import { useTokenChoices } from "./token-search.ts";

const NO_FILTERS = { side: "all", min_usd: 0, pool_address: "all", trader: "all" } as const;

export function TradeFilters() {
  const [choices, setChoices] = useTokenChoices();
  const { side, min_usd, pool_address, trader } = choices;
  const pools = usePoolOptions();
  const isFiltered = side !== "all" || min_usd > 0 || pool_address !== "all" || trader !== "all";
  return (
    <div className={styles.tools}>
      <TradeSideChoice value={side} onChange={(value) => setChoices({ side: value })} />
      <TextFilter
        label="Minimum value (USD)"
        applied={min_usd === 0 ? "" : String(min_usd)}
        inputMode="decimal"
        isValid={(text) => text === "" || parseAmount(text) !== undefined}
        problem="Enter an amount in US dollars, e.g. 100 or 2.5k."
        onChange={(text) => setChoices({ min_usd: parseAmount(text) ?? 0 })}
      />
      <Select
        label="Pool"
        options={pools}
        value={pool_address}
        onChange={(value) => setChoices({ pool_address: value })}
      />
      <TextFilter
        label="Trader"
        applied={trader === "all" ? "" : trader}
        isValid={(text) => text === "" || ADDRESS.test(text)}
        problem="Enter an address: 0x and 40 hex digits."
        onChange={(text) => setChoices({ trader: text === "" ? "all" : text.toLowerCase() })}
      />
      {isFiltered ? <Button onClick={() => setChoices(NO_FILTERS)}>Clear</Button> : null}
    </div>
  );
}

interface TextFilterProps {
  label: string;
  /** The filter in effect. */
  applied: string;
  inputMode?: "decimal";
  isValid: (text: string) => boolean;
  /** Message shown if the text is invalid. */
  problem: string;
  onChange: (text: string) => void;
}

/** A text filter, applied on Enter or when the field loses focus. */
function TextFilter({ label, applied, inputMode, isValid, problem, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState({ text: applied, applied });
  const setText = (text: string) => setTyped({ text, applied });
  const [isInvalid, setInvalid] = useState(false);
  const id = useId();
  // A newly applied value replaces the typed text. The field itself stays and keeps focus.
  if (typed.applied !== applied) {
    setText(applied);
    setInvalid(false);
  }
  const apply = () => {
    const text = typed.text.trim();
    setInvalid(!isValid(text));
    if (isValid(text) && text !== applied) onChange(text);
  };
  return (
    <form
      className={styles.filter}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        className="field"
        id={id}
        value={typed.text}
        inputMode={inputMode}
        placeholder="Any"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isInvalid}
        aria-describedby={isInvalid ? `${id}-problem` : undefined}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
      />
      {isInvalid ? (
        <span id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </span>
      ) : null}
    </form>
  );
}
