/** Which components React runs anew, as it tells a browser's developer tools. A test imports it before anything that brings React. */

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
    onCommitFiberRoot: (_: number, root: { current: Fiber }) => walk(root.current),
  },
});

/** @returns the components that ran since it was last asked, by name, once for each time. */
export const drawnAnew = (): string[] => components.splice(0);
