/** Show/hide region for a password field, shared by the charts of forms. Specification, section 2 ("show/hide toggle"). */
export const secret = {
  initial: "hidden",
  states: {
    hidden: { on: { "secret.toggled": "revealed" } },
    revealed: { on: { "secret.toggled": "hidden" } },
  },
} as const;
