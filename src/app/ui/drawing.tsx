/** A picture that a prerendered page holds as inline SVG (`prerender/vite-plugin.ts`), so that it appears with the first paint. Client-rendered, it is an `img`. */
import { useMemo, useState, useSyncExternalStore } from "react";

export interface DrawingProps {
  /** File name in `pictures/`. */
  name: string;
  /** URL of the file. */
  src: string;
  width: number;
  height: number;
}

const never = () => () => {};

/** Decorative: hidden from screen readers. */
export function Drawing({ name, src, width, height }: DrawingProps) {
  /** The one that the page holds: this is the server's, or its hydration. */
  const [written] = useState(
    useSyncExternalStore(
      never,
      () => null,
      () => name,
    ),
  );
  const picture = `<img src="${src}" width="${width}" height="${height}" alt="" data-drawing="${name}">`;
  // Hydration keeps the page's SVG: React does not compare raw HTML, and needs the same object for the same content.
  const content = useMemo(() => ({ __html: picture }), [picture]);
  if (written === name) return <span key={name} dangerouslySetInnerHTML={content} suppressHydrationWarning />;
  // As an element: the page's policy lets no text become markup in the browser (Trusted Types).
  return (
    <span>
      <img src={src} width={width} height={height} alt="" data-drawing={name} />
    </span>
  );
}
