import { useId, useState } from "react";
import { parseAmount } from "../../format/amount-input.ts";
import { ADDRESS } from "../../format/hex.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Select, TradeSideChoice } from "../../ui/controls/choice.tsx";
import { usePoolOptions } from "./pool-options.ts";
import styles from "./token.module.css";
import { useTokenChoices } from "./token-search.ts";

const NONE = { side: "all", min_usd: 0, pool_address: "all", trader: "all" } as const;

/** Which trades are shown. */
export function TradeFilters() {
  const [choices, choose] = useTokenChoices();
  const { side, min_usd, pool_address, trader } = choices;
  const pools = usePoolOptions();
  const isFiltered = side !== "all" || min_usd > 0 || pool_address !== "all" || trader !== "all";
  return (
    <div className={styles.tools}>
      <TradeSideChoice value={side} onChange={(value) => choose({ side: value })} />
      <TextFilter
        label="Least value in USD"
        given={min_usd === 0 ? "" : String(min_usd)}
        inputMode="decimal"
        isMeant={(text) => text === "" || parseAmount(text) !== undefined}
        problem="Give a number of US dollars, e.g. 100 or 2.5k."
        onChange={(text) => choose({ min_usd: parseAmount(text) ?? 0 })}
      />
      <Select
        label="Pool"
        options={pools}
        value={pool_address}
        onChange={(value) => choose({ pool_address: value })}
      />
      <TextFilter
        label="Trader"
        given={trader === "all" ? "" : trader}
        isMeant={(text) => text === "" || ADDRESS.test(text)}
        problem="Give an address: 0x and 40 hex digits."
        onChange={(text) => choose({ trader: text === "" ? "all" : text.toLowerCase() })}
      />
      {isFiltered ? <Button onClick={() => choose(NONE)}>Clear</Button> : null}
    </div>
  );
}

interface TextFilterProps {
  label: string;
  given: string;
  inputMode?: "decimal";
  isMeant: (text: string) => boolean;
  /** What is said where a text cannot be meant. */
  problem: string;
  onChange: (text: string) => void;
}

/** A filter that is typed. It holds once it is entered or left. */
function TextFilter({ label, given, inputMode, isMeant, problem, onChange }: TextFilterProps) {
  const [{ text, of }, setTyped] = useState({ text: given, of: given });
  const type = (typed: string) => setTyped({ text: typed, of: given });
  const [isRefused, refuse] = useState(false);
  const id = useId();
  // What holds now replaces what was typed; the field stays, and with it the focus.
  if (of !== given) {
    type(given);
    refuse(false);
  }
  const enter = () => {
    const typed = text.trim();
    refuse(!isMeant(typed));
    if (isMeant(typed) && typed !== given) onChange(typed);
  };
  return (
    <form
      className={styles.filter}
      onSubmit={(event) => {
        event.preventDefault();
        enter();
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        className="field"
        id={id}
        value={text}
        inputMode={inputMode}
        placeholder="any"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? `${id}-problem` : undefined}
        onChange={(event) => type(event.target.value)}
        onBlur={enter}
      />
      {isRefused ? (
        <span id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </span>
      ) : null}
    </form>
  );
}
