/** The sandbox's stand-in for the download script, of the shape that the specification describes. It runs in the browser alone. Specification, section 7 ("Download SDK"). */

interface Options {
  appKey: string;
  /** Called when packages may be asked for, `this` being the SDK. */
  onready?: () => void;
}

/** Defines the global. It is sent to the browser as text, so nothing outside of it exists for it. */
export function downloadScript(sandbox: { global: string; appKey: string }): void {
  const home = new URL(".", (document.currentScript as HTMLScriptElement | null)?.src ?? location.href);

  const offered = (platform: string) => ({
    date: "2026-11-20",
    url: new URL(`download/${platform}`, home).href,
    verison: "1.0.0",
  });

  class Sdk {
    readonly #appKey: string;

    constructor({ appKey, onready }: Options) {
      this.#appKey = appKey;
      setTimeout(() => onready?.call(this));
    }

    /** The packages of all platforms. `verison` is the script's own spelling. */
    async getPackages(which: "all"): Promise<Record<string, { date: string; url: string; verison: string }>> {
      if (this.#appKey !== sandbox.appKey) throw new Error("The app key is not the sandbox's.");
      if (which !== "all") throw new Error("Only all packages can be asked for.");
      return Promise.resolve({
        android: offered("android"),
        ios: offered("ios"),
        mac: offered("mac"),
        windows: offered("windows"),
      });
    }

    /** There is no app to wake, so it is installed: 1 Android, 2 iOS. */
    wakeupOrInstall(url: string, platform: 1 | 2): void {
      if (platform === 1 || platform === 2) window.open(url, "_blank", "noopener");
    }
  }

  Object.assign(window, { [sandbox.global]: Sdk });
}
