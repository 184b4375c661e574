/** The password, where an open session is not enough: it confirms that it is the member. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Field } from "../ui/field.tsx";

/** @param fault what the form lacks, or what the API has against it */
export function ConfirmingPassword({
  fault,
}: {
  fault: { kind: string; fields: readonly string[]; message?: string } | null;
}) {
  const { t } = useLingui();
  const isWrong = fault?.fields.includes("password") ?? false;
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
        fault?.kind === "passwordMissing"
          ? t`Please enter password`
          : fault?.kind === "refused" && isWrong
            ? fault.message
            : undefined
      }
    />
  );
}
