import { CANDLE_INTERVALS, type CandleInterval } from "../../queries/market/candle-intervals.ts";
import { Choice } from "../../ui/controls/choice.tsx";

const OPTIONS = CANDLE_INTERVALS.map((value) => ({ value, title: value }));

interface IntervalChoiceProps {
  value: CandleInterval;
  onChange: (interval: CandleInterval) => void;
}

export function IntervalChoice({ value, onChange }: IntervalChoiceProps) {
  return <Choice label="Candle length" options={OPTIONS} value={value} onChange={onChange} />;
}
