/** Renders a drawing as an SVG string, so that the panel and the documents show the same picture. States and transitions carry their ids; `data-active` highlights the active ones. */
import type { State } from "./chart.ts";
import {
  heights,
  inset,
  MARK,
  sizes,
  nameWidth,
  tagWidth,
  topOf,
  type Arrow,
  type Box,
  type Drawing,
  type Point,
} from "./drawing.ts";

const RADIUS = 9;
const BEND = 7;

/** Both colour schemes, by purpose. */
const colours = {
  light: {
    ground: "#fbf8f2",
    box: "#ffffff",
    nest: "rgb(146 118 64 / 0.05)",
    edge: "#ddd4c3",
    region: "#b9ad97",
    ink: "#141b2c",
    soft: "#5a5f6c",
    line: "#8d8577",
    event: "#2b3550",
    delay: "#9a4c08",
    done: "#2c6a4c",
    error: "#a2331f",
    tag: "#f3ece0",
    tagInk: "#6a6253",
    lit: "#d9861b",
    litBox: "#f6b454",
    litInk: "#1d1303",
    glow: "rgb(242 163 58 / 0.55)",
  },
  dark: {
    ground: "#0d1220",
    box: "#182034",
    nest: "rgb(190 205 255 / 0.035)",
    edge: "#313b54",
    region: "#49546f",
    ink: "#f3eee4",
    soft: "#a4a9b8",
    line: "#727b92",
    event: "#d3d8e6",
    delay: "#f0b465",
    done: "#8accaa",
    error: "#f29c87",
    tag: "#242e47",
    tagInk: "#b9bfce",
    lit: "#f2a33a",
    litBox: "#f2a33a",
    litInk: "#1d1303",
    glow: "rgb(242 163 58 / 0.5)",
  },
};

const variables = (scheme: keyof typeof colours) =>
  Object.entries(colours[scheme])
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");

const pictureStyle = `
.chart{${variables("light")};font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
@media (prefers-color-scheme:dark){.chart{${variables("dark")}}}
.chart .ground{fill:var(--ground)}
.chart .box{fill:var(--box);stroke:var(--edge);stroke-width:1}
.chart .nest .box{fill:var(--nest)}
.chart .region>.box{stroke:var(--region);stroke-dasharray:5 4}
.chart .inner{fill:none;stroke:var(--edge)}
.chart .name{fill:var(--ink);font-size:${sizes.name}px;font-weight:640}
.chart .kind{fill:var(--soft);font-size:10px;font-weight:500}
.chart .mono{font-family:ui-monospace,"SF Mono",Menlo,"Cascadia Mono","DejaVu Sans Mono",Consolas,monospace;font-size:${sizes.line}px;fill:var(--soft);white-space:pre}
.chart .glyph{fill:none;stroke:var(--line);stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round}
.chart .tag{fill:var(--tag)}
.chart .tagged{font-size:${sizes.tag}px;fill:var(--tagInk)}
.chart .wire{fill:none;stroke:var(--line);stroke-width:1.3}
.chart .head{fill:var(--line)}
.chart .start{fill:var(--line)}
.chart .words{font-size:${sizes.label}px}
.chart .event{fill:var(--event);font-weight:600}
.chart .delay{fill:var(--delay)}
.chart .done,.chart .inner.title{fill:var(--done)}
.chart .error{fill:var(--error)}
.chart [data-active]>.box{stroke:var(--lit);fill:var(--litBox);filter:drop-shadow(0 0 7px var(--glow))}
.chart [data-active] :is(.name,.mono){fill:var(--litInk)}
.chart [data-active] .glyph{stroke:var(--litInk)}
.chart [data-active] .tag{fill:rgb(255 255 255 / .4)}
.chart .nest[data-active]>.box{stroke-width:1.5;fill:var(--nest);filter:none}
.chart .nest[data-active] .name{fill:var(--ink)}
.chart .nest[data-active] .mono{fill:var(--soft)}
.chart .nest[data-active] .glyph{stroke:var(--line)}
.chart .nest[data-active] .tag{fill:var(--tag)}
.chart [data-active]>.inner{stroke:var(--litInk)}
.chart [data-taken] .wire{stroke:var(--lit);stroke-width:2}
.chart [data-taken] .head{fill:var(--lit)}
`.trim();

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @returns an SVG for an HTML page or a file of its own */
export function picture(drawing: Drawing): string {
  const { id, width, height, boxes, arrows, beginnings } = drawing;
  const name = escaped(`The chart "${id}", ${boxes.length - 1} states`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${name}">`,
    `<style>${pictureStyle}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="14"/>`,
    ...boxes.map(boxOf),
    ...beginnings.map(({ at, points }) => {
      const dot = `<circle class="start" cx="${at.x}" cy="${at.y}" r="4.5"/>`;
      return `<g>${dot}${wire(points)}</g>`;
    }),
    // Lines first, so that no line covers another's label.
    ...arrows.map(arrowOf),
    ...arrows.map(wordsOf),
    "</svg>",
    "",
  ].join("\n");
}

function boxOf({ state, x, y, width, height }: Box): string {
  const { id, kind, isRegion, states } = state;
  const classes = [states.length > 0 && "nest", isRegion && "region"].filter(Boolean).join(" ");
  const double =
    kind === "final"
      ? `<rect class="inner" x="${x + 3}" y="${y + 3}" width="${width - 6}" height="${height - 6}" rx="${RADIUS - 3}"/>`
      : "";
  return [
    `<g class="${classes}" data-state="${escaped(id)}">`,
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="${RADIUS}"/>${double}`,
    headOf(state, x + inset.x, y + inset.y),
    "</g>",
  ].join("");
}

function headOf({ name, tags, lines }: State, x: number, y: number): string {
  const parts = [`<text class="name" x="${x}" y="${y + 14}">${escaped(name)}</text>`];
  let right = x + nameWidth(name) + 6;
  for (const tag of tags) {
    const width = tagWidth(tag);
    parts.push(
      `<rect class="tag" x="${right}" y="${y + 2.5}" width="${width}" height="${heights.tag}" rx="7.5"/>`,
      `<text class="mono tagged" x="${right + 6}" y="${y + 13.5}">${escaped(tag)}</text>`,
    );
    right += width + 4;
  }
  for (const [index, { mark, text }] of lines.entries()) {
    const top = y + heights.name + 4 + index * heights.line;
    parts.push(
      `<path class="glyph" d="${glyphs[mark](x, top + 7)}"/>`,
      `<text class="mono" x="${x + MARK}" y="${top + 11}">${escaped(text)}</text>`,
    );
  }
  return parts.join("");
}

/** Entry: an arrow to a bar. Exit: an arrow from one. Invocation: a ring. Event: a loop. */
const glyphs: Record<State["lines"][number]["mark"], (x: number, y: number) => string> = {
  entry: (x, y) => `M${x} ${y}h6m-2.5 -2.5l2.5 2.5l-2.5 2.5M${x + 9} ${y - 4}v8`,
  exit: (x, y) => `M${x} ${y - 4}v8M${x + 3} ${y}h6m-2.5 -2.5l2.5 2.5l-2.5 2.5`,
  asks: (x, y) => `M${x + 8.5} ${y}a4 4 0 1 1 -1.2 -2.85m1.2 -1.6v2.6h-2.6`,
  takes: (x, y) => `M${x} ${y - 3.5}v3.5a2 2 0 0 0 2 2h6m-2.5 -2.5l2.5 2.5l-2.5 2.5`,
};

function arrowOf({ transitions, points }: Arrow): string {
  const ids = transitions.map(({ id }) => escaped(id)).join("|");
  return `<g data-transitions="${ids}">${wire(points)}</g>`;
}

function wordsOf({ words, label }: Arrow): string {
  if (!label) return "";
  const lines = words.map(({ text, title }, index) => {
    const classes = title === null ? "mono words" : `mono words title ${title}`;
    return `<text class="${classes}" x="${label.x + 4}" y="${label.y + 11 + topOf(words, index)}">${escaped(text)}</text>`;
  });
  return `<g>${lines.join("")}</g>`;
}

/** A line with rounded bends and an arrowhead. */
function wire(points: Point[]): string {
  const [first, ...rest] = points;
  const last = points.at(-1);
  const before = points.at(-2);
  if (!first || !last || !before) return "";
  let path = `M${first.x} ${first.y}`;
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1];
    const previous = points[index];
    if (!next || !previous) break;
    const into = towards(point, previous);
    const out = towards(point, next);
    path += `L${into.x} ${into.y}Q${point.x} ${point.y} ${out.x} ${out.y}`;
  }
  const length = Math.hypot(last.x - before.x, last.y - before.y) || 1;
  const [dx, dy] = [(last.x - before.x) / length, (last.y - before.y) / length];
  const base = { x: round(last.x - 7 * dx), y: round(last.y - 7 * dy) };
  const [wing, other] = [
    `${round(base.x - 3.6 * dy)} ${round(base.y + 3.6 * dx)}`,
    `${round(base.x + 3.6 * dy)} ${round(base.y - 3.6 * dx)}`,
  ];
  return `<path class="wire" d="${path}L${base.x} ${base.y}"/><path class="head" d="M${last.x} ${last.y}L${wing}L${other}Z"/>`;
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const step = Math.min(BEND, length / 2) / length;
  return { x: round(from.x + (to.x - from.x) * step), y: round(from.y + (to.y - from.y) * step) };
}

const round = (value: number) => Math.round(value * 10) / 10;
