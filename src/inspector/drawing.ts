/** Lays out a chart: every state a box, every transition a labelled line, in pixels from the top left. Pure; runs in the browser and in Node. */
import type { ELK, ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { Cause, Chart, State, Transition } from "./chart.ts";

export type Box = {
  state: State;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Nesting depth; the chart itself is 0. */
  depth: number;
};

export type Point = { x: number; y: number };
/** All transitions between two states, as one line. `label` is the place of their texts, line by line. */
export type Arrow = {
  transitions: Transition[];
  points: Point[];
  words: Word[];
  label: (Point & { width: number; height: number }) | null;
};
/** `title` when the line shows the transition's trigger. */
export type Word = { text: string; title: Cause | null };

export type Drawing = {
  id: string;
  width: number;
  height: number;
  boxes: Box[];
  arrows: Arrow[];
  /** The initial state of each compound state: a dot and the line from it. */
  beginnings: { at: Point; points: Point[] }[];
};

/** The layout engine: elkjs in a worker, or in Node. */
export type Layouter = Pick<ELK, "layout">;

/* Measures. Fonts differ between systems, so a line gets the width of the widest; monospaced fonts are alike. */
export const sizes = { name: 13, line: 10.5, label: 10.5, tag: 9.5 };
export const heights = { name: 20, line: 15, label: 14, gap: 4, tag: 15 };
export const inset = { x: 12, y: 9 };
const DOT = 10;
const monoWidth = (text: string, size: number) => Math.ceil([...text].length * size * 0.605);
export const nameWidth = (text: string) => Math.ceil([...text].length * sizes.name * 0.64);
export const tagWidth = (tag: string) => monoWidth(tag, sizes.tag) + 12;
const TAG_GAP = 4;
/** Width of the mark before a line of a state. */
export const MARK = 16;

/** The space of the state's own text, above its inner states. */
function headOf({ name, tags, lines }: State): { width: number; height: number } {
  const tagsWidth = tags.reduce((sum, tag) => sum + tagWidth(tag) + TAG_GAP, 0);
  const widths = [
    nameWidth(name) + (tags.length > 0 ? 8 + tagsWidth : 0),
    ...lines.map(({ text }) => MARK + monoWidth(text, sizes.line)),
  ];
  const gap = lines.length > 0 ? 4 : 0;
  return {
    width: Math.max(...widths) + 2 * inset.x,
    height: heights.name + gap + lines.length * heights.line + 2 * inset.y,
  };
}

const MOST_LETTERS = 34;

/** The label of a transition, by lines; long lists of actions break between actions. */
function wordsOf({ title, guard, actions, cause }: Transition): Word[] {
  const lines: Word[] = [];
  const add = (text: string) => lines.push({ text, title: lines.length === 0 ? cause : null });
  if (title !== "") add(title);
  if (guard !== null) add(`[${guard}]`);
  let line = "";
  for (const action of actions) {
    const longer = line === "" ? `/ ${action}` : `${line}, ${action}`;
    if (line !== "" && longer.length > MOST_LETTERS) {
      add(`${line},`);
      line = `  ${action}`;
    } else line = longer;
  }
  if (line !== "") add(line);
  return lines;
}

/** The distance of a text from the top of its label: each transition is set a little apart from the one before. */
export function topOf(words: readonly Word[], index: number): number {
  const titles = words.slice(1, index + 1).filter(({ title }) => title !== null).length;
  return index * heights.label + titles * heights.gap;
}

/** Groups the transitions by their two states. */
function bundlesOf(transitions: readonly Transition[]): Transition[][] {
  const bundles = new Map<string, Transition[]>();
  for (const one of transitions) {
    const way = `${one.source} ${one.target}`;
    bundles.set(way, [...(bundles.get(way) ?? []), one]);
  }
  return [...bundles.values()];
}

const options = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
  // States that are reached first are placed first.
  "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST",
  "elk.alignment": "TOP",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.spacing.nodeNodeBetweenLayers": "28",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
  "elk.spacing.nodeNode": "26",
  "elk.spacing.edgeNode": "16",
  "elk.spacing.edgeEdge": "12",
  "elk.spacing.edgeLabel": "5",
  "elk.padding": "[top=12,left=12,bottom=12,right=12]",
};

const beginningOf = (id: string) => `${id} begins`;

function nodeOf(state: State, states: Map<string, State>): ElkNode {
  states.set(state.id, state);
  const head = headOf(state);
  if (state.states.length === 0) return { id: state.id, width: head.width, height: head.height };
  return {
    id: state.id,
    children: [
      ...(state.initial === null ? [] : [{ id: beginningOf(state.id), width: DOT, height: DOT }]),
      ...state.states.map((child) => nodeOf(child, states)),
    ],
    layoutOptions: {
      "elk.padding": `[top=${head.height + 8},left=16,bottom=16,right=16]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      // In a downward layout the algorithm expects height before width.
      "elk.nodeSize.minimum": `(${head.height},${head.width})`,
    },
  };
}

export async function draw(chart: Chart, layouter: Layouter): Promise<Drawing> {
  const states = new Map<string, State>();
  const root = nodeOf(chart.root, states);
  const beginnings = [...states.values()].flatMap(({ id, initial }): ElkExtendedEdge[] =>
    initial === null ? [] : [{ id: beginningOf(id), sources: [beginningOf(id)], targets: [initial] }],
  );
  const bundles = bundlesOf(chart.transitions).map((transitions, index) => ({
    id: String(index),
    transitions,
    words: transitions.flatMap(wordsOf),
  }));
  const edges = bundles.map(({ id, transitions, words }): ElkExtendedEdge => {
    const width = Math.max(0, ...words.map(({ text }) => monoWidth(text, sizes.label))) + 8;
    return {
      id,
      sources: transitions.slice(0, 1).map(({ source }) => source),
      targets: transitions.slice(0, 1).map(({ target }) => target),
      labels: words.length === 0 ? [] : [{ text: id, width, height: topOf(words, words.length) + 2 }],
    };
  });
  const page: ElkNode = { id: "page", children: [root], edges: [...beginnings, ...edges] };
  const placed = await layouter.layout(page, { layoutOptions: options });

  const boxes: Box[] = [];
  const dots = new Map<string, Point>();
  const visit = (node: ElkNode, depth: number) => {
    const { id, x = 0, y = 0, width = 0, height = 0, children = [] } = node;
    const state = states.get(id);
    if (state) boxes.push({ state, depth, ...rounded({ x, y, width, height }) });
    else dots.set(id, rounded({ x: x + DOT / 2, y: y + DOT / 2 }));
    for (const child of children) visit(child, depth + 1);
  };
  for (const child of placed.children ?? []) visit(child, 0);

  const lines = new Map((placed.edges ?? []).map((edge) => [edge.id, edge]));
  return {
    id: chart.id,
    ...rounded({ width: placed.width ?? 0, height: placed.height ?? 0 }),
    boxes,
    arrows: bundles.map(({ id, transitions, words }): Arrow => {
      const edge = lines.get(id);
      const [label] = edge?.labels ?? [];
      return {
        transitions,
        words,
        points: belowHead(pointsOf(edge), transitions, boxes),
        label: label
          ? rounded({ x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0, height: label.height ?? 0 })
          : null,
      };
    }),
    beginnings: [...dots].map(([id, at]) => ({ at, points: pointsOf(lines.get(id)) })),
  };
}

const pointsOf = (edge: ElkExtendedEdge | undefined): Point[] =>
  (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) =>
    [startPoint, ...bendPoints, endPoint].map(({ x, y }) => rounded({ x, y })),
  );

/** A line from a state to an inner one begins below the state's own text. */
function belowHead(points: Point[], [one]: Transition[], boxes: readonly Box[]): Point[] {
  const box = boxes.find(({ state }) => state.id === one?.source);
  const [first, ...rest] = points;
  if (!one?.target.startsWith(`${one.source}.`) || !box || !first || first.y > box.y) return points;
  return [{ x: first.x, y: box.y + headOf(box.state).height }, ...rest];
}

/** Rounded to half a pixel, so that floating-point noise does not change a drawing. */
function rounded<T extends Record<string, number>>(measures: T): T {
  const pairs = Object.entries(measures).map(([name, value]) => [name, Math.round(value * 2) / 2]);
  return Object.fromEntries(pairs) as T;
}
