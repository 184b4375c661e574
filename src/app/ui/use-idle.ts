/** Whether a screen has been idle for a moment. Overlays are then rendered ahead, so that a tap only has to show them. */
import { startTransition, useEffect, useState } from "react";

/** Ms after the first render, before which users do not reach for an overlay. */
const RESTED = 500;

export function useIdle(): boolean {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(true)), RESTED);
    return () => clearTimeout(timer);
  }, []);
  return rested;
}
