/** The inside of every region that shows or hides a password being typed. Specification, section 2 ("show/hide toggle"). */
export const secret = {
  initial: "hidden",
  states: {
    hidden: { on: { "secret.toggled": "revealed" } },
    revealed: { on: { "secret.toggled": "hidden" } },
  },
} as const;
