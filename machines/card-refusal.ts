/** The card provider's refusal of a payment. Specification, section 7 ("Card provider script"). */
import type { CardField } from "./card-fields.ts";

/**
 * `outcome`: `cancelled` by the user, `failed` for certain, or `unknown`, for an error that says nothing about the
 * money. `description` is the provider's, "" when it gives none.
 */
export type Refusal = {
  outcome: "cancelled" | "failed" | "unknown";
  description: string;
  field: CardField | null;
};

export class CardRefused extends Error {
  readonly outcome: Refusal["outcome"];
  readonly description: string;
  readonly field: CardField | null;
  constructor({ outcome, description, field }: Refusal) {
    super(outcome);
    this.name = "CardRefused";
    this.outcome = outcome;
    this.description = description;
    this.field = field;
  }
}
