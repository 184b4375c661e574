/** The Trusted Types policy: every script's address passes it, and the browser refuses all other texts as scripts or markup. Decision 25. */

type Rules = { createScriptURL: (address: string) => string };

/** An address on a host; which hosts, the Content-Security-Policy says. Nothing is loaded from another. */
const rules: Rules = {
  createScriptURL: (address) => (/^(https?:\/)?\/[^/]/.test(address) ? address : ""),
};

const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy: (name: string, rules: Rules) => Rules };
};

/** Browsers without Trusted Types take the text itself. */
export const trusted = trustedTypes?.createPolicy("app", rules) ?? rules;
