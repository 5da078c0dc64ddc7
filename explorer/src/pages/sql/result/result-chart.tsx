import type { SeriesType, Time, UTCTimestamp } from "lightweight-charts";
import { useEffect, useMemo, useState } from "react";
import { TimeChart, useChart } from "../../../charts/time-chart.tsx";
import { valueFormat } from "../../../charts/value-format.ts";
import { shortHex } from "../../../format/hex.ts";
import { formatCompact, formatCounted } from "../../../format/number.ts";
import { Choice, Select, Toggle } from "../../../ui/controls/choice.tsx";
import { useTheme } from "../../../ui/theme.ts";
import { type ChartColumns, type ChartLine, linesOf } from "./chart-series.ts";
import styles from "./result-chart.module.css";
import type { Row } from "./result-columns.ts";

type ChartStyle = "line" | "bars";

const STYLES = [
  { value: "line", title: "Lines" },
  { value: "bars", title: "Bars" },
] as const;

/** Value of the list entry that selects no group column. */
const NO_GROUP = "";
const HEIGHT_PX = 360;

/** A chart of the answer over time, with a choice of columns and style. */
export function ResultChart({ rows, columns }: { rows: readonly Row[]; columns: ChartColumns }) {
  const { time, values, groups, repeats } = columns;
  const [style, setStyle] = useState<ChartStyle>("line");
  const [selected, setSelected] = useState<readonly string[]>(values.slice(0, 1).map(({ name }) => name));
  const [group, setGroup] = useState(repeats ? (groups[0]?.name ?? NO_GROUP) : NO_GROUP);
  const chart = useMemo(
    () => linesOf(rows, { time: time.name, values: selected, group: group === NO_GROUP ? null : group }),
    [rows, time, selected, group],
  );
  const isSigned = chart.lines.some(({ points }) => points.some(({ value }) => value < 0));
  const toggle = (name: string, isOn: boolean) =>
    setSelected(
      values.map((each) => each.name).filter((each) => (each === name ? isOn : selected.includes(each))),
    );
  return (
    <div className={styles.chart}>
      <div className={styles.controls}>
        <Choice label="Style" options={STYLES} value={style} onChange={setStyle} />
        {values.map(({ name }) => (
          <Toggle
            key={name}
            label={name}
            isOn={selected.includes(name)}
            onChange={(isOn) => toggle(name, isOn)}
          />
        ))}
        {groups.length === 0 ? null : (
          <Select
            label="One line per"
            options={[
              { value: NO_GROUP, title: "column" },
              ...groups.map(({ name }) => ({ value: name, title: name })),
            ]}
            value={group}
            onChange={setGroup}
          />
        )}
      </div>
      <TimeChart label={`${selected.join(", ")} by ${time.name}`} height={HEIGHT_PX}>
        {chart.lines.map((line, index) => (
          <Line key={`${style} ${line.name}`} line={line} style={style} index={index} isSigned={isSigned} />
        ))}
      </TimeChart>
      <Legend lines={chart.lines} />
      <Hidden points={chart.hiddenPoints} lines={chart.hiddenLines} />
    </div>
  );
}

function Hidden({ points, lines }: { points: number; lines: number }) {
  if (points === 0 && lines === 0) return null;
  const parts = [
    points > 0 ? `${formatCounted(points, "value")} with the same time as another value` : "",
    lines > 0 ? formatCounted(lines, "more line") : "",
  ].filter((part) => part !== "");
  return (
    <p className={styles.hidden}>Not shown: {parts.join("; ")}. Group the rows or select fewer columns.</p>
  );
}

function Legend({ lines }: { lines: readonly ChartLine[] }) {
  const colours = PALETTES[useTheme()];
  return (
    <ul className={styles.legend} aria-label="Lines">
      {lines.map(({ name }, index) => (
        <li key={name}>
          <span style={{ background: colours[index] }} className={styles.mark} aria-hidden="true" />
          {shortHex(name.length > 40 && name.startsWith("0x") ? name : "") || name}
        </li>
      ))}
    </ul>
  );
}

interface LineProps {
  line: ChartLine;
  style: ChartStyle;
  index: number;
  /** Whether the chart contains negative values. */
  isSigned: boolean;
}

function Line({ line, style, index, isSigned }: LineProps) {
  const { library, chart } = useChart();
  const color = PALETTES[useTheme()][index];
  useEffect(() => {
    // The scale extends below the lowest value, so labels below zero are left empty if no value is negative.
    const format = (value: number) => (value < 0 && !isSigned ? "" : formatCompact(value));
    const type = style === "line" ? library.LineSeries : library.HistogramSeries;
    const series = chart.addSeries<SeriesType>(type, { lineWidth: 2, priceLineVisible: false });
    series.applyOptions({ color, priceFormat: valueFormat(largest(line), format) });
    series.setData(line.points.map(({ time, value }) => ({ time: time as UTCTimestamp as Time, value })));
    chart.timeScale().fitContent();
    return () => {
      // The chart may be removed first, together with its series.
      if (chart.panes().some((pane) => pane.getSeries().includes(series))) chart.removeSeries(series);
    };
  }, [library, chart, line, style, color, isSigned]);
  return null;
}

function largest({ points }: ChartLine): number {
  return points.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0);
}

/** Colours of the lines, distinguishable with any colour vision. */
const PALETTES = {
  light: ["#8a5300", "#1f5fd0", "#0b7a4b", "#a3268f", "#c02438", "#00727a", "#5b46b8", "#5d6068"],
  dark: ["#f2b544", "#7fb0ff", "#35c98b", "#ef8fdf", "#ff6b7d", "#4fd3dc", "#b3a2ff", "#9aa4b0"],
} as const;
