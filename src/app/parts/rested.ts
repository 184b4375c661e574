/** When a screen has come to rest: what nobody has asked for yet is drawn then, so that the tap that asks for it only has to show it. */
import { startTransition, useEffect, useState } from "react";

/** Ms after its first drawing: nobody reaches for it before. */
const RESTED = 500;

export function useRested(): boolean {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setRested(true)), RESTED);
    return () => clearTimeout(timer);
  }, []);
  return rested;
}
