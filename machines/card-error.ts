/** The card provider's error about a payment. Specification, section 7 ("Card provider script"). */
import type { CardField } from "./card-fields.ts";

/**
 * `outcome`: `cancelled` by the user, `failed` for certain, or `unknown`, for an error that says nothing about the
 * money. `description` is the provider's, "" when it gives none.
 */
export type CardErrorDetails = {
  outcome: "cancelled" | "failed" | "unknown";
  description: string;
  field: CardField | null;
};

export class CardError extends Error {
  readonly outcome: CardErrorDetails["outcome"];
  readonly description: string;
  readonly field: CardField | null;
  constructor({ outcome, description, field }: CardErrorDetails) {
    super(outcome);
    this.name = "CardError";
    this.outcome = outcome;
    this.description = description;
    this.field = field;
  }
}
