/** Leaves `setup({ types })` unmutated: nothing reads it but the compiler. */

/** The little of Babel's path that is looked at. */
interface Path {
  parent: { type: string; key?: { name?: string } };
  parentPath?: { parentPath?: { parent: { callee?: { name?: string } } } };
}

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "types",
    value: {
      shouldIgnore({ parent, parentPath }: Path): string | undefined {
        const isTypes =
          parent.type === "ObjectProperty" &&
          parent.key?.name === "types" &&
          parentPath?.parentPath?.parent.callee?.name === "setup";
        return isTypes ? "Types alone, gone before it runs." : undefined;
      },
    },
  },
];
