import { useId } from "react";
import { TRADE_SIDES, type TradeSide } from "../../queries/market/trade-lists.ts";
import styles from "./choice.module.css";

interface ChoiceProps<Value extends string> {
  /** Accessible name. */
  label: string;
  options: readonly { value: Value; title: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of a few options, side by side; arrow keys move between them. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.title}
        </label>
      ))}
    </fieldset>
  );
}

const SIDE_TITLES: Record<TradeSide, string> = { all: "All", buy: "Buys", sell: "Sells" };
const SIDES = TRADE_SIDES.map((value) => ({ value, title: SIDE_TITLES[value] }));

/** Filters trades by side. */
export function TradeSideChoice(props: Pick<ChoiceProps<TradeSide>, "value" | "onChange">) {
  return <Choice label="Side" options={SIDES} {...props} />;
}

/** One of many options, in a drop-down list. */
export function Select<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <label className={styles.select}>
      <span>{label}</span>
      <select className="field" value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A checkbox. */
export function Toggle({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <label className={styles.toggle}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}
