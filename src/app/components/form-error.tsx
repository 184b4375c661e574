/** The API's refusal of a form as a whole: shown under the last field, without marking any. */
import { Fault } from "../ui/field.tsx";

export function FormError({
  fault,
}: {
  /** The form's error from its chart. */
  fault: { fields: readonly string[]; message?: string } | null;
}) {
  return fault?.fields.length === 0 ? <Fault>{fault.message}</Fault> : null;
}
