/** A drawing that a written page holds as lines of its own instead of a picture's file (`pages.ts`): it is there with the first words. Where the app draws by itself, it is a picture. */
import { useMemo } from "react";

export interface DrawingProps {
  /** Its name in `pictures/`. */
  name: string;
  /** Its address. */
  src: string;
  width: number;
  height: number;
}

/** It says nothing to the ear. */
export function Drawing({ name, src, width, height }: DrawingProps) {
  const picture = `<img src="${src}" width="${width}" height="${height}" alt="" data-drawing="${name}">`;
  // What the page holds stays as it is: React does not look into it, and takes the same object for the same content.
  const content = useMemo(() => ({ __html: picture }), [picture]);
  return <span dangerouslySetInnerHTML={content} suppressHydrationWarning />;
}
