/** The password, where an open session is not enough: it confirms that it is the member. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Field } from "../ui/field.tsx";

/** @param formError what the form lacks, or what the API has against it */
export function ConfirmingPassword({
  formError,
}: {
  formError: { kind: string; fields: readonly string[]; message?: string } | null;
}) {
  const { t } = useLingui();
  const isWrong = formError?.fields.includes("password") ?? false;
  return (
    <Field
      type="password"
      name="password"
      label={<Trans>Password</Trans>}
      hint={<Trans>It confirms that it is you.</Trans>}
      required
      autoComplete="current-password"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      placeholder={t`Your password`}
      invalid={isWrong}
      error={
        formError?.kind === "passwordMissing"
          ? t`Please enter password`
          : formError?.kind === "refused" && isWrong
            ? formError.message
            : undefined
      }
    />
  );
}
