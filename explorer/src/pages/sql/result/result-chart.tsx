import type { SeriesType, Time, UTCTimestamp } from "lightweight-charts";
import { useEffect, useMemo, useState } from "react";
import { TimeChart, useChart } from "../../../charts/time-chart.tsx";
import { valueFormat } from "../../../charts/value-format.ts";
import { shortHex } from "../../../format/hex.ts";
import { formatCompact, formatCount } from "../../../format/number.ts";
import { Choice, Select, Toggle } from "../../../ui/controls/choice.tsx";
import { useTheme } from "../../../ui/theme.ts";
import { type ChartLine, type Drawable, linesOf } from "./chart-series.ts";
import styles from "./result-chart.module.css";
import type { Row } from "./result-columns.ts";

type Look = "line" | "bars";

const LOOKS = [
  { value: "line", title: "Lines" },
  { value: "bars", title: "Bars" },
] as const;

/** No column: the value of the list's first entry. */
const NOTHING = "";
const HEIGHT_PX = 360;

/** An answer drawn over time: one chooses what, and as what. */
export function ResultChart({ rows, drawable }: { rows: readonly Row[]; drawable: Drawable }) {
  const { time, values, groups, repeats } = drawable;
  const [look, setLook] = useState<Look>("line");
  const [chosen, setChosen] = useState<readonly string[]>(values.slice(0, 1).map(({ name }) => name));
  const [group, setGroup] = useState(repeats ? (groups[0]?.name ?? NOTHING) : NOTHING);
  const drawn = useMemo(
    () => linesOf(rows, { time: time.name, values: chosen, group: group === NOTHING ? null : group }),
    [rows, time, chosen, group],
  );
  const isSigned = drawn.lines.some(({ points }) => points.some(({ value }) => value < 0));
  const toggle = (name: string, isOn: boolean) =>
    setChosen(
      values.map((each) => each.name).filter((each) => (each === name ? isOn : chosen.includes(each))),
    );
  return (
    <div className={styles.chart}>
      <div className={styles.controls}>
        <Choice label="Look" options={LOOKS} value={look} onChange={setLook} />
        {values.map(({ name }) => (
          <Toggle
            key={name}
            label={name}
            isOn={chosen.includes(name)}
            onChange={(isOn) => toggle(name, isOn)}
          />
        ))}
        {groups.length === 0 ? null : (
          <Select
            label="A line for each"
            options={[
              { value: NOTHING, title: "column" },
              ...groups.map(({ name }) => ({ value: name, title: name })),
            ]}
            value={group}
            onChange={setGroup}
          />
        )}
      </div>
      <TimeChart label={`${chosen.join(", ")} by ${time.name}`} height={HEIGHT_PX}>
        {drawn.lines.map((line, at) => (
          <Line key={`${look} ${line.name}`} line={line} look={look} at={at} isSigned={isSigned} />
        ))}
      </TimeChart>
      <Legend lines={drawn.lines} />
      <Hidden points={drawn.hiddenPoints} lines={drawn.hiddenLines} />
    </div>
  );
}

function Hidden({ points, lines }: { points: number; lines: number }) {
  if (points === 0 && lines === 0) return null;
  const parts = [
    points > 0 ? `${formatCount(points)} values share their time with another one` : "",
    lines > 0 ? `${formatCount(lines)} more lines` : "",
  ].filter((part) => part !== "");
  return <p className={styles.hidden}>Not drawn: {parts.join("; ")}. Group the rows, or choose fewer.</p>;
}

function Legend({ lines }: { lines: readonly ChartLine[] }) {
  const colours = PALETTES[useTheme()];
  return (
    <ul className={styles.legend} aria-label="Lines">
      {lines.map(({ name }, at) => (
        <li key={name}>
          <span style={{ background: colours[at] }} className={styles.mark} aria-hidden="true" />
          {shortHex(name.length > 40 && name.startsWith("0x") ? name : "") || name}
        </li>
      ))}
    </ul>
  );
}

interface LineProps {
  line: ChartLine;
  look: Look;
  at: number;
  /** Some value that is drawn is below zero. */
  isSigned: boolean;
}

function Line({ line, look, at, isSigned }: LineProps) {
  const { library, chart } = useChart();
  const color = PALETTES[useTheme()][at];
  useEffect(() => {
    // The scale leaves some room below the lowest value: figures that none of them can have stay away from it.
    const format = (value: number) => (value < 0 && !isSigned ? "" : formatCompact(value));
    const type = look === "line" ? library.LineSeries : library.HistogramSeries;
    const series = chart.addSeries<SeriesType>(type, { lineWidth: 2, priceLineVisible: false });
    series.applyOptions({ color, priceFormat: valueFormat(largest(line), format) });
    series.setData(line.points.map(({ time, value }) => ({ time: time as UTCTimestamp as Time, value })));
    chart.timeScale().fitContent();
    return () => {
      // The chart may be gone before its parts: then its series are, too.
      if (chart.panes().some((pane) => pane.getSeries().includes(series))) chart.removeSeries(series);
    };
  }, [library, chart, line, look, color, isSigned]);
  return null;
}

function largest({ points }: ChartLine): number {
  return points.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0);
}

/** Colours of lines that are told apart with any eyes, as many as lines are drawn. */
const PALETTES = {
  light: ["#8a5300", "#1f5fd0", "#0b7a4b", "#a3268f", "#c02438", "#00727a", "#5b46b8", "#5d6068"],
  dark: ["#f2b544", "#7fb0ff", "#35c98b", "#ef8fdf", "#ff6b7d", "#4fd3dc", "#b3a2ff", "#9aa4b0"],
} as const;
