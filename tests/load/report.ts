/** Figures of a load measurement. */
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

export const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Latencies by name, in microseconds. */
export function latencies() {
  const histograms = new Map<string, RecordableHistogram>();
  return {
    /** @param ms from when the call was due, so that a late start counts as well */
    record(name: string, ms: number): void {
      const histogram = histograms.get(name) ?? createHistogram();
      histograms.set(name, histogram);
      histogram.record(Math.max(1, Math.round(ms * 1_000)));
    },
    rows: () =>
      Object.fromEntries(
        [...histograms].map(([name, histogram]) => [
          name,
          {
            count: histogram.count,
            "p50 ms": inMs(histogram.percentile(50)),
            "p99 ms": inMs(histogram.percentile(99)),
            "max ms": inMs(histogram.max),
          },
        ]),
      ),
  };
}

const inMs = (microseconds: number) => Number((microseconds / 1_000).toFixed(1));
