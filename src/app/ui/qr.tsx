/** A QR code on a white tile; the tile keeps its space until there is a code. */
import { lazy, Suspense, useDeferredValue } from "react";
import styled from "styled-components";

/** In a chunk of its own. It renders only once the chunk has loaded, so that it never suspends or fails here. */
const Code = lazy(() => import("react-qr-code"));

/** White in dark mode too, with the quiet zone of four modules that scanners need. */
const Tile = styled.div`
  --qr-size: 220px;
  flex: none;
  width: min(100%, var(--qr-size));
  aspect-ratio: 1;
  padding: calc(var(--qr-size) * 0.108);
  border-radius: var(--radius-small);
  background: #fff;
  /* Scanners need these colours, even with forced colours. */
  forced-color-adjust: none;

  svg {
    width: 100%;
    height: 100%;
  }
`;

export interface QrProps {
  /** Exactly the text that is shown and copied; null leaves the tile empty. */
  value: string | null;
  /** The accessible name: what a scanner reads from it. */
  title: string;
}

export function Qr({ value, title }: QrProps) {
  // Drawing takes a while, so it is deferred and the screen does not wait. The initial null avoids showing an
  // earlier address.
  const drawn = useDeferredValue(value, null);
  return (
    <Tile role="img" aria-label={title}>
      <Suspense fallback={null}>
        {drawn === null || drawn !== value ? null : (
          <Code value={drawn} level="M" fgColor="#0F1626" bgColor="#FFFFFF" aria-hidden="true" />
        )}
      </Suspense>
    </Tile>
  );
}
