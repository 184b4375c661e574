/** What the bundler makes of a catalogue: its messages, compiled on import. */
declare module "*.po" {
  import type { Messages } from "@lingui/core";
  export const messages: Messages;
}
