/** Which components React runs anew, as it tells a browser's developer tools. It stands before anything that brings React: `views-setup.ts`. */

type Fiber = {
  type: unknown;
  flags: number;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
};
/** React's own mark of a component that ran. */
const PERFORMED = 1;
const components: string[] = [];
/** Whether a test has asked: to look at every drawing of every test would take its time. */
let isWatched = false;
const nameOf = (type: unknown): string | null => {
  if (typeof type === "function") return type.name;
  if (typeof type !== "object" || type === null) return null;
  const { displayName, type: inner, render } = type as { [name: string]: unknown };
  return typeof displayName === "string" ? displayName : nameOf(inner ?? render);
};
const walk = (fiber: Fiber | null) => {
  for (let each = fiber; each; each = each.sibling) {
    const name = nameOf(each.type);
    if (name !== null && (each.flags & PERFORMED) !== 0) components.push(name);
    // Where the children are the ones of before, React has left them alone.
    if (each.child !== each.alternate?.child) walk(each.child);
  }
};
Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: {
    supportsFiber: true,
    inject: () => 1,
    checkDCE: () => undefined,
    onCommitFiberUnmount: () => undefined,
    onCommitFiberRoot: (_: number, root: { current: Fiber }) => {
      if (isWatched) walk(root.current);
    },
  },
});

/** @returns the components that ran since it was last asked in this test, by name, once for each time. */
export function drawnAnew(): string[] {
  isWatched = true;
  return components.splice(0);
}

export function watchNoMore(): void {
  isWatched = false;
  components.length = 0;
}
