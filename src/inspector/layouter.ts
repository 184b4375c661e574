/** Lays out charts in a worker, once each. */
import ElkApi from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import type { AnyStateMachine } from "xstate";
import { readChart } from "./chart.ts";
import { draw } from "./drawing.ts";
import { picture } from "./picture.ts";

let elk: InstanceType<typeof ElkApi> | null = null;
/** By the chart's config: copies with other ports share a drawing. */
const pictures = new WeakMap<object, Promise<string>>();

/** The chart's picture as SVG; the same promise for the same chart. */
export function pictureOf(machine: AnyStateMachine): Promise<string> {
  const cached = pictures.get(machine.config);
  if (cached) return cached;
  elk ??= new ElkApi({ workerFactory: () => new Worker(workerUrl) });
  const drawn = draw(readChart(machine), elk).then(picture);
  pictures.set(machine.config, drawn);
  return drawn;
}
