/** Revenue by day as bars, by uPlot. The same numbers stand in a table beside it, which is what screen readers read. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet
import "uplot/dist/uPlot.min.css";
import type { Today } from "../../contract/console.ts";

const HEIGHT = 180;

const coloursOf = (element: Element) => {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { bar: of("--lamp"), axis: of("--soft"), grid: of("--hairline"), face: style.fontFamily };
};

const day = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 1_000;

export default function Plot({ revenue, locale }: { revenue: Today["revenue"]; locale: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const { bar, axis, grid, face } = coloursOf(element);
    const short = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
    const axisLook = { stroke: axis, font: `12px ${face}`, ticks: { show: false } };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: (_, least, most) => [least - 43_200, most + 43_200] },
          y: { range: (_, least, most) => [Math.min(0, least), Math.max(1, most)] },
        },
        axes: [
          {
            ...axisLook,
            grid: { show: false },
            values: (_, at) => at.map((seconds) => short.format(seconds * 1_000)),
            splits: () => revenue.filter((__, at) => at % 7 === 1).map((each) => day(each.day)),
          },
          { ...axisLook, size: 48, grid: { stroke: grid, width: 1 } },
        ],
        series: [
          {},
          {
            stroke: bar,
            fill: bar,
            ...(uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.7] }) } : {}),
            points: { show: false },
          },
        ],
      },
      [
        revenue.map((each) => day(each.day)),
        revenue.map(({ usdt, card, stripe }) => Number(usdt) + Number(card) + Number(stripe)),
      ],
      element,
    );
    const fits = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    fits.observe(element);
    return () => {
      fits.disconnect();
      plot.destroy();
    };
  }, [revenue, locale]);
  return <div ref={place} aria-hidden="true" style={{ minHeight: HEIGHT }} />;
}
