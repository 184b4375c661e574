/** What the provider's script says of a payment that did not go through. Specification, section 7 ("Card provider script"). */
import type { CardField } from "./card-fields.ts";

export type Refusal = { description: string; reason: string; field: CardField | null };

export class CardRefused extends Error {
  readonly description: string;
  readonly reason: string;
  readonly field: CardField | null;
  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.name = "CardRefused";
    this.description = refusal.description;
    this.reason = refusal.reason;
    this.field = refusal.field;
  }
}
