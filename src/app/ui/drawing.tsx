/** A picture that a prerendered page holds as inline SVG (`pages.ts`), so that it appears with the first paint. Client-rendered, it is an `img`. */
import { useMemo } from "react";

export interface DrawingProps {
  /** File name in `pictures/`. */
  name: string;
  /** URL of the file. */
  src: string;
  width: number;
  height: number;
}

/** Decorative: hidden from screen readers. */
export function Drawing({ name, src, width, height }: DrawingProps) {
  const picture = `<img src="${src}" width="${width}" height="${height}" alt="" data-drawing="${name}">`;
  // Hydration keeps the page's SVG: React does not compare raw HTML, and needs the same object for the same
  // content.
  const content = useMemo(() => ({ __html: picture }), [picture]);
  return <span dangerouslySetInnerHTML={content} suppressHydrationWarning />;
}
