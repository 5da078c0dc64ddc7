import { formatCount } from "../../../format/number.ts";
import { SCREEN_WINDOWS, type ScreenSort } from "../../../queries/market/screener.ts";
import { Choice, Select, Toggle } from "../../../ui/controls/choice.tsx";
import { type HomeChoices, type HomeSearch, MIN_VOLUMES } from "../home-search.ts";
import styles from "./screener.module.css";

const KINDS = [
  { value: "token", title: "Tokens" },
  { value: "pool", title: "Pools" },
] as const;

/** Sort orders that have a button; the column headings offer the other orders. */
const LISTS = [
  { value: "volume_usd", title: "Top" },
  { value: "price_change_pct", title: "Movers" },
  { value: "created_timestamp", title: "New" },
] as const satisfies readonly { value: ScreenSort; title: string }[];

const WINDOWS = SCREEN_WINDOWS.map((value) => ({ value, title: value.replace(/\D+/, " $&") }));

const VOLUMES = MIN_VOLUMES.map((usd) => ({
  value: String(usd),
  title: usd === 0 ? "Any volume" : `From $${usd / 1_000}k`,
}));

interface ControlsProps {
  choices: HomeChoices;
  setChoices: (change: HomeSearch) => void;
}

/** Controls that choose and filter what the screener lists. */
export function ScreenerControls({ choices, setChoices }: ControlsProps) {
  return (
    <div className={styles.controls}>
      <Choice label="What" options={KINDS} value={choices.kind} onChange={(kind) => setChoices({ kind })} />
      <Choice
        label="List"
        options={LISTS}
        value={choices.sortby as (typeof LISTS)[number]["value"]}
        onChange={(sortby) => setChoices({ sortby, order: "desc" })}
      />
      <Choice
        label="Time"
        options={WINDOWS}
        value={choices.window}
        onChange={(window) => setChoices({ window })}
      />
      <Select
        label="Minimum volume"
        options={VOLUMES}
        value={String(choices.min_volume_usd)}
        onChange={(usd) =>
          setChoices({ min_volume_usd: MIN_VOLUMES.find((one) => String(one) === usd) ?? 0 })
        }
      />
    </div>
  );
}

interface HiddenProps extends ControlsProps {
  /** `count` is the number of spam rows, whether hidden or shown. */
  spam: { isShown: boolean; setShown: (isShown: boolean) => void; count: number };
}

/** Toggles for the rows that a list leaves out. */
export function HiddenRows({ choices, setChoices, spam }: HiddenProps) {
  return (
    <>
      {spam.count === 0 && !spam.isShown ? null : (
        <span title="Tokens that are probably spam, judging by their names, trades and transfers">
          <Toggle
            label={`Show ${formatCount(spam.count)} hidden`}
            isOn={spam.isShown}
            onChange={spam.setShown}
          />
        </span>
      )}
      <span title="Leaves out a pool's trades on days with wash trades, according to DefiLlama's rule">
        <Toggle
          label="No wash trades"
          isOn={choices.exclude_wash}
          onChange={(exclude_wash) => setChoices({ exclude_wash })}
        />
      </span>
    </>
  );
}
