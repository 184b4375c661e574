/** A browser's translator, and what it can harm: pieces of text that React would go on writing to after the translator has replaced them. */

type Fiber = { key: string | null; return: Fiber | null };

/** Every piece of text in the document that a translator may take. */
function translatable(): Text[] {
  const found: Text[] = [];
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    const isFixed = text.parentElement?.closest("[translate=no], script, style, title");
    if (!isFixed && text.data.trim() !== "") found.push(text);
  }
  return found;
}

/**
 * The texts on the screen that do not survive a translator. Where a text is all that an element holds, React writes to
 * the element; beside other things it writes to the text itself, which the translator has taken out of the page. Such a
 * text has to go with its element when it changes (`Sentence`).
 */
export function fragileTexts(): string[] {
  return translatable()
    .filter((text) => {
      const name = Object.keys(text).find((key) => key.startsWith("__reactFiber$"));
      if (name === undefined) return false;
      const holder = (text as unknown as Record<string, Fiber>)[name]?.return;
      return holder?.key?.includes(text.data) !== true;
    })
    .map(({ data }) => data);
}

/** Amounts that a translator may rewrite. */
export const translatableAmounts = (): string[] =>
  translatable()
    .map(({ data }) => data)
    .filter((text) => /\d\.\d\d|\bUSDT?\b|\b[TE]RC20\b/.test(text));

/**
 * Translates the page as browsers do, and goes on with whatever comes: takes each text out of the page and puts its own
 * there in two `<font>` elements; where a sentence is made of texts and elements, it moves them all into one more. It can
 * be handed to a real browser, so it knows nothing outside of itself. @returns the way to stop
 */
export function translate([before, after]: readonly [before: string, after: string]): () => void {
  const own = new WeakSet<Node>();
  const font = (...nodes: Node[]) => {
    const made = document.createElement("font");
    made.append(...nodes);
    return made;
  };
  const isInline = (node: Node) =>
    node instanceof Text || (node instanceof Element && node.matches("font, span, a, b"));
  const take = () => {
    const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    const fresh: Text[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const isFixed = text.parentElement?.closest("[translate=no], script, style, title");
      if (!isFixed && !own.has(text) && text.data.trim() !== "") fresh.push(text);
    }
    for (const text of fresh) {
      const said = new Text(before + text.data + after);
      own.add(said);
      const { parentElement } = text;
      text.replaceWith(font(font(said)));
      const nodes = [...(parentElement?.childNodes ?? [])];
      if (nodes.length > 1 && nodes.every(isInline)) parentElement?.append(font(...nodes));
    }
  };
  take();
  const watch = new MutationObserver(take);
  watch.observe(document.documentElement, { subtree: true, childList: true, characterData: true });
  return () => watch.disconnect();
}
