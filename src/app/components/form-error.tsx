/** The API's error about a form as a whole: shown under the last field, without marking any. */
import { ErrorMessage } from "../ui/field.tsx";

/** @param error the form's error from its chart */
export function FormError({ error }: { error: { fields: readonly string[]; message?: string } | null }) {
  return error?.fields.length === 0 ? <ErrorMessage>{error.message}</ErrorMessage> : null;
}
