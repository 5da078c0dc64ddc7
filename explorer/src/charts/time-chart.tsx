import type {
  ChartOptions,
  DeepPartial,
  IChartApi,
  ISeriesApi,
  SeriesDefinition,
  SeriesPartialOptionsMap,
  Time,
} from "lightweight-charts";
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { formatTime } from "../format/time.ts";
import { ErrorNotice } from "../ui/feedback/notice.tsx";
import { Skeleton } from "../ui/feedback/query-content.tsx";
import { useTheme } from "../ui/theme.ts";
import { type ChartColours, readChartColours, withAlpha } from "./chart-colours.ts";
import styles from "./time-chart.module.css";

type Library = typeof import("lightweight-charts");

/**
 * The objects that a series needs to draw. Includes the library, because a page loads the library only when
 * it draws a chart.
 */
export interface ChartHandle {
  library: Library;
  chart: IChartApi;
  colours: ChartColours;
}

const ChartContext = createContext<ChartHandle | null>(null);

/** Returns the chart that contains this component. */
export function useChart(): ChartHandle {
  const handle = useContext(ChartContext);
  if (handle === null) throw new TypeError("A series must be inside a TimeChart.");
  return handle;
}

/**
 * Removed charts. A chart is removed before its series components unmount, and its series are removed with
 * it.
 */
const removed = new WeakSet<IChartApi>();

/**
 * Adds a series to the chart while the component is mounted, and returns it; null until added. `kind` is the
 * library's name for the type of series.
 */
export function useSeries<Kind extends SeriesKind>(
  kind: Kind,
  options: SeriesPartialOptionsMap[Kind],
): ISeriesApi<Kind> | null {
  const { library, chart } = useChart();
  const [series, setSeries] = useState<ISeriesApi<Kind> | null>(null);
  const initialOptions = useRef(options);
  useEffect(() => {
    const added = chart.addSeries<Kind>(
      library[`${kind}Series`] as SeriesDefinition<Kind>,
      initialOptions.current,
    );
    setSeries(added);
    return () => {
      setSeries(null);
      if (!removed.has(chart)) chart.removeSeries(added);
    };
  }, [library, chart, kind]);
  return series;
}

type SeriesKind = "Area" | "Line" | "Candlestick" | "Histogram" | "Bar" | "Baseline";

export interface KeyboardSteps {
  step: (by: -1 | 1) => void;
  /** Called when the chart loses focus. */
  leave: () => void;
}

interface TimeChartProps {
  /** For screen readers. */
  label: string;
  /** In pixels; the chart fills the available width. */
  height: number;
  /** Arrow keys step through these points; without them, arrow keys scroll. */
  keyboardSteps?: KeyboardSteps;
  /** The series: `LineSeries` or other components that use `useChart`. */
  children: ReactNode;
}

/**
 * A chart over time, in UTC and in the page's colours, drawn once its library has loaded. The left and right
 * arrow keys scroll, or step through the points and scroll only with Shift. Plus and minus zoom.
 */
export function TimeChart({ label, height, keyboardSteps, children }: TimeChartProps) {
  const [library, setLibrary] = useState<Library | Error | null>(null);
  const load = () => {
    setLibrary(null);
    import("lightweight-charts").then(setLibrary, setLibrary);
  };
  useEffect(load, []);
  return (
    <figure className={styles.chart} style={{ height }} aria-label={label}>
      {library === null ? (
        <Skeleton height={height} />
      ) : library instanceof Error ? (
        <ErrorNotice error={library} retry={load} />
      ) : (
        <Canvas library={library} label={label} keyboardSteps={keyboardSteps}>
          {children}
        </Canvas>
      )}
    </figure>
  );
}

interface CanvasProps {
  library: Library;
  label: string;
  keyboardSteps: KeyboardSteps | undefined;
  children: ReactNode;
}

function Canvas({ library, label, keyboardSteps, children }: CanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<IChartApi | null>(null);
  const colours = useChartColours();
  useEffect(() => {
    if (container.current === null) return;
    const created = library.createChart(container.current, fixedOptions(library));
    setChart(created);
    return () => {
      setChart(null);
      removed.add(created);
      created.remove();
    };
  }, [library]);
  useEffect(() => chart?.applyOptions(colourOptions(colours)), [chart, colours]);
  const handle = useMemo(
    () => (chart === null ? null : { library, chart, colours }),
    [library, chart, colours],
  );
  return (
    <>
      <section
        ref={container}
        className={styles.canvas}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        aria-label={`${label}; ${keyboardSteps === undefined ? KEYS : STEPPING_KEYS}`}
        onKeyDown={(event) => chart !== null && onChartKey(chart, event, keyboardSteps)}
        onBlur={() => {
          keyboardSteps?.leave();
          chart?.clearCrosshairPosition();
        }}
      />
      {handle === null ? null : <ChartContext value={handle}>{children}</ChartContext>}
    </>
  );
}

function useChartColours(): ChartColours {
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the variables depend on the theme
  return useMemo(readChartColours, [theme]);
}

function fixedOptions({ CrosshairMode }: Library): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: {
      attributionLogo: true,
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 11,
    },
    crosshair: { mode: CrosshairMode.Normal },
    // Vertical swipes scroll the page.
    handleScroll: { vertTouchDrag: false },
    rightPriceScale: { borderVisible: false },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false, minBarSpacing: 1 },
    localization: { locale: "en-US", timeFormatter: utcTime },
  };
}

function utcTime(time: Time): string {
  return typeof time === "number" ? `${formatTime(time).slice(0, 16)} UTC` : String(time);
}

function colourOptions({ quiet, line, panel, text }: ChartColours): DeepPartial<ChartOptions> {
  const crosshair = { color: withAlpha(quiet, 0.7), labelBackgroundColor: text };
  return {
    layout: {
      background: { color: panel },
      textColor: quiet,
      panes: { separatorColor: line, separatorHoverColor: line },
    },
    grid: { vertLines: { color: withAlpha(line, 0.6) }, horzLines: { color: withAlpha(line, 0.6) } },
    crosshair: { vertLine: crosshair, horzLine: crosshair },
  };
}

/** Share of the visible range by which one key press scrolls. */
const SCROLL_STEP = 0.1;

const KEYS = "arrow keys scroll, plus and minus zoom";
const STEPPING_KEYS = "arrow keys step through it, Shift and arrow keys scroll, plus and minus zoom";

function onChartKey(chart: IChartApi, event: KeyboardEvent, keyboardSteps: KeyboardSteps | undefined): void {
  const by = STEPS[event.key];
  if (keyboardSteps === undefined || by === undefined || event.shiftKey) {
    scrollByKey(chart, event);
  } else {
    event.preventDefault();
    keyboardSteps.step(by);
  }
}

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

function scrollByKey(chart: IChartApi, event: KeyboardEvent): void {
  const scale = chart.timeScale();
  const range = scale.getVisibleLogicalRange();
  const move = MOVES[event.key];
  if (range === null || move === undefined) return;
  event.preventDefault();
  const step = (range.to - range.from) * SCROLL_STEP;
  scale.setVisibleLogicalRange({ from: range.from + move.from * step, to: range.to + move.to * step });
}

/** By key: the distance by which each end of the visible range moves, in steps. */
const MOVES: Readonly<Record<string, { from: number; to: number }>> = {
  ArrowLeft: { from: -1, to: -1 },
  ArrowRight: { from: 1, to: 1 },
  "+": { from: 1, to: 0 },
  "-": { from: -1, to: 0 },
};
