/** What the provider's script says of a payment that did not go through. Specification, section 7 ("Card provider script"). */
import type { CardField } from "./card-fields.ts";

/** `code` is the provider's class of faults, `reason` the one fault; each "" where it names none. */
export type Refusal = { code: string; description: string; reason: string; field: CardField | null };

export class CardRefused extends Error {
  readonly code: string;
  readonly description: string;
  readonly reason: string;
  readonly field: CardField | null;
  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.name = "CardRefused";
    this.code = refusal.code;
    this.description = refusal.description;
    this.reason = refusal.reason;
    this.field = refusal.field;
  }
}
