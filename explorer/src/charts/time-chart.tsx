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

/** What the parts of a chart draw with. The library comes with it, so that no page loads it before it draws. */
export interface Drawing {
  library: Library;
  chart: IChartApi;
  colours: ChartColours;
}

const DrawingContext = createContext<Drawing | null>(null);

/** The chart that a part stands in. */
export function useChart(): Drawing {
  const drawing = useContext(DrawingContext);
  if (drawing === null) throw new TypeError("A part of a chart stands outside of a TimeChart.");
  return drawing;
}

/** Charts leave before their parts do, and take their series with them. */
const removed = new WeakSet<IChartApi>();

/** A series of the chart for as long as the part stands in it; null until it is there. `kind` as the library names it. */
export function useSeries<Kind extends SeriesKind>(
  kind: Kind,
  options: SeriesPartialOptionsMap[Kind],
): ISeriesApi<Kind> | null {
  const { library, chart } = useChart();
  const [series, setSeries] = useState<ISeriesApi<Kind> | null>(null);
  const first = useRef(options);
  useEffect(() => {
    const added = chart.addSeries<Kind>(library[`${kind}Series`] as SeriesDefinition<Kind>, first.current);
    setSeries(added);
    return () => {
      setSeries(null);
      if (!removed.has(chart)) chart.removeSeries(added);
    };
  }, [library, chart, kind]);
  return series;
}

type SeriesKind = "Area" | "Line" | "Candlestick" | "Histogram" | "Bar" | "Baseline";

export interface Stepping {
  step: (by: -1 | 1) => void;
  /** The keyboard is elsewhere now. */
  leave: () => void;
}

interface TimeChartProps {
  /** What is drawn, for those who cannot see it. */
  label: string;
  /** In pixels; the width is that of where it stands. */
  height: number;
  /** What the keyboard goes through point by point; without it, arrow keys move along the time. */
  stepping?: Stepping;
  /** The series: `LineSeries`, or own parts that use `useChart`. */
  children: ReactNode;
}

/**
 * A chart over time, in UTC and in the colours of the page. It is drawn once its library has come. With the keyboard,
 * left and right move along the time, or step through it and move with Shift; plus and minus look closer or farther.
 */
export function TimeChart({ label, height, stepping, children }: TimeChartProps) {
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
        <Canvas library={library} label={label} stepping={stepping}>
          {children}
        </Canvas>
      )}
    </figure>
  );
}

interface CanvasProps {
  library: Library;
  label: string;
  stepping: Stepping | undefined;
  children: ReactNode;
}

function Canvas({ library, label, stepping, children }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<IChartApi | null>(null);
  const colours = useChartColours();
  useEffect(() => {
    if (place.current === null) return;
    const created = library.createChart(place.current, fixedOptions(library));
    setChart(created);
    return () => {
      setChart(null);
      removed.add(created);
      created.remove();
    };
  }, [library]);
  useEffect(() => chart?.applyOptions(coloursOf(colours)), [chart, colours]);
  const drawing = useMemo(
    () => (chart === null ? null : { library, chart, colours }),
    [library, chart, colours],
  );
  return (
    <>
      <section
        ref={place}
        className={styles.canvas}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`${label}; ${stepping === undefined ? KEYS : STEPPING_KEYS}`}
        onKeyDown={(event) => chart !== null && onChartKey(chart, event, stepping)}
        onBlur={() => {
          stepping?.leave();
          chart?.clearCrosshairPosition();
        }}
      />
      {drawing === null ? null : <DrawingContext value={drawing}>{children}</DrawingContext>}
    </>
  );
}

function useChartColours(): ChartColours {
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the variables are other ones in another theme
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
    // A finger that moves up and down is to move the page.
    handleScroll: { vertTouchDrag: false },
    rightPriceScale: { borderVisible: false },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false, minBarSpacing: 1 },
    localization: { locale: "en-US", timeFormatter: utcOf },
  };
}

function utcOf(time: Time): string {
  return typeof time === "number" ? `${formatTime(time).slice(0, 16)} UTC` : String(time);
}

function coloursOf({ quiet, line, panel, text }: ChartColours): DeepPartial<ChartOptions> {
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

/** So much of what is seen one key press moves. */
const STEP = 0.1;

const KEYS = "arrow keys move it, plus and minus scale it";
const STEPPING_KEYS = "arrow keys step through it, with Shift they move it, plus and minus scale it";

function onChartKey(chart: IChartApi, event: KeyboardEvent, stepping: Stepping | undefined): void {
  const by = STEPS[event.key];
  if (stepping === undefined || by === undefined || event.shiftKey) {
    moveByKey(chart, event);
  } else {
    event.preventDefault();
    stepping.step(by);
  }
}

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

function moveByKey(chart: IChartApi, event: KeyboardEvent): void {
  const scale = chart.timeScale();
  const range = scale.getVisibleLogicalRange();
  const move = MOVES[event.key];
  if (range === null || move === undefined) return;
  event.preventDefault();
  const step = (range.to - range.from) * STEP;
  scale.setVisibleLogicalRange({ from: range.from + move.from * step, to: range.to + move.to * step });
}

/** How far each end of what is seen goes, in steps. */
const MOVES: Readonly<Record<string, { from: number; to: number }>> = {
  ArrowLeft: { from: -1, to: -1 },
  ArrowRight: { from: 1, to: 1 },
  "+": { from: 1, to: 0 },
  "-": { from: -1, to: 0 },
};
