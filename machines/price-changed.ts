/** Why no window is sent to a provider: the order costs something else than was shown. Decisions, "A changed price". */

/** The API charges another amount, in decimal USD, than the user has agreed to. */
export class PriceChanged extends Error {
  readonly amount: string;

  constructor(amount: string) {
    super("The price has changed.");
    this.amount = amount;
  }
}
