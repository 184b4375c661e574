/** Getting the app: loads the download script, reads its packages and handles the install button. Specification, sections 1, 3 ("Packages store") and 7 ("Download SDK"). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed, announceErrorIn, keepOutputIn } from "./call-error.ts";
import { waitingDelays } from "./slow-request.ts";

export const platforms = ["android", "ios", "mac", "windows"] as const;
/** `verison` is the script's own spelling. All three are empty until the script has answered. */
export type Build = { date: string; url: string; verison: string };
export type Builds = Readonly<Record<(typeof platforms)[number], Build>>;

/** Before the script has answered. */
const nothing: Build = { date: "", url: "", verison: "" };
export const noBuilds: Builds = { android: nothing, ios: nothing, mac: nothing, windows: nothing };

export type Device = "android" | "ios";

export type DownloadPorts = {
  /** Loads the script and reads the packages of all platforms. */
  readBuilds: PromiseActorLogic<Builds>;
  /** The script's wake-or-install call, within the tap. */
  install: PromiseActorLogic<void, { device: Device; url: string }>;
  /**
   * Opens the provider's page for a device in a window, within the tap. `blocked` is its address for a link when the
   * window was blocked, else null.
   */
  openSite: PromiseActorLogic<{ blocked: string | null }, { device: Device }>;
};

/** `boxed`: an in-app browser, which blocks downloads. */
export type DownloadInput = { boxed: boolean };

type DownloadEvent =
  { type: "download.requested"; device: Device } | { type: "hint.dismissed" } | { type: "cancel" };

export type DownloadEmitted = { type: "builds.read"; builds: Builds } | RequestFailed;

export const downloadMachine = setup({
  types: {
    context: {} as DownloadInput & { builds: Builds; device: Device; blocked: string | null },
    input: {} as DownloadInput,
    events: {} as DownloadEvent,
    emitted: {} as DownloadEmitted,
  },
  actors: {} as DownloadPorts,
  delays: waitingDelays,
  guards: {
    isBoxed: ({ context }) => context.boxed,
    isOffered: ({ context }, { device }: { device: Device }) => context.builds[device].url !== "",
  },
  actions: {
    keepBuilds: assign({ builds: (_, { builds }: { builds: Builds }) => builds }),
    keepDevice: assign({ device: (_, { device }: { device: Device }) => device }),
    announceBuilds: emit((_, { builds }: { builds: Builds }) => ({ type: "builds.read" as const, builds })),
    keepBlocked: assign({ blocked: (_, { blocked }: { blocked: string | null }) => blocked }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "download",
  type: "parallel",
  context: ({ input }) => ({ ...input, builds: noBuilds, device: "android", blocked: null }),
  states: {
    script: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            id: "readBuilds",
            src: "readBuilds",
            onDone: {
              target: "ready",
              actions: [
                { type: "keepBuilds", params: ({ event }) => ({ builds: event.output }) },
                { type: "announceBuilds", params: ({ event }) => ({ builds: event.output }) },
              ],
            },
            // The landing page works without the script; a tap reports the error.
            onError: "absent",
          },
        },
        ready: {},
        absent: {},
      },
    },
    button: {
      initial: "resting",
      states: {
        resting: {
          on: {
            "download.requested": [
              { guard: "isBoxed", target: "hinting" },
              {
                guard: { type: "isOffered", params: ({ event }) => event },
                target: "installing",
                actions: { type: "keepDevice", params: ({ event }) => event },
              },
              { target: "leading", actions: { type: "keepDevice", params: ({ event }) => event } },
            ],
          },
        },
        hinting: { on: { "hint.dismissed": "resting" } },
        // The script has no package for this device, or did not load: open the provider's page.
        leading: {
          on: { cancel: "resting" },
          invoke: {
            id: "openSite",
            src: "openSite",
            input: ({ context: { device } }) => ({ device }),
            onDone: keepOutputIn("resting", "keepBlocked"),
            onError: announceErrorIn("resting"),
          },
        },
        installing: {
          on: { cancel: "resting" },
          // The script may never answer, so the button is enabled again.
          after: { patience: "resting" },
          invoke: {
            id: "install",
            src: "install",
            input: ({ context: { device, builds } }) => ({ device, url: builds[device].url }),
            onDone: "resting",
            onError: announceErrorIn("resting"),
          },
        },
      },
    },
  },
});
