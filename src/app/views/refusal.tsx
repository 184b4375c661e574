/** What the API has against a form as a whole: it stands under the last field, and marks none. */
import { Fault } from "../parts/field.tsx";

export function Refusal({
  fault,
}: {
  /** What is wrong with the form, as its chart says it. */
  fault: { fields: readonly string[]; message?: string } | null;
}) {
  return fault?.fields.length === 0 ? <Fault>{fault.message}</Fault> : null;
}
