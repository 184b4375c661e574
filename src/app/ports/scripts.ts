/** Other people's scripts: each loaded once, and never two kinds in one document. Decisions, "Card data live only in the card screen's actor". */
import { CallFailed } from "../../../machines/failure.ts";

export type ScriptKind = "card" | "download";

const loading = new Map<ScriptKind, Promise<void>>();

/** Loads the script at `address` into this document. Rejects, and may be asked again, where it cannot be had. */
export function loadScript(kind: ScriptKind, address: string): Promise<void> {
  const begun = loading.get(kind);
  if (begun) return begun;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      loading.delete(kind);
      reject(new CallFailed({ kind: "network" }));
    });
    document.head.append(script);
  });
  loading.set(kind, loaded);
  return loaded;
}

/** Whether this document holds a script that may not stand beside one of `kind`. */
export const isCrowded = (kind: ScriptKind) => [...loading.keys()].some((other) => other !== kind);

/** Opens `address` in a document of its own. Never settles: this document is gone. */
export function openAfresh(address: string): Promise<never> {
  window.location.replace(address);
  return new Promise(() => {});
}
