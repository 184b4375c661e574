/** A new password and its repetition, with what may be wrong with them. Specification, section 5 ("New password step", "Change password"). */
import { Trans, useLingui } from "@lingui/react/macro";
import type { PasswordFault } from "../../../machines/password-rules.ts";
import { PasswordField } from "../parts/field.tsx";

type NewPasswordFieldsProps = { fault: PasswordFault | null; revealed: boolean; onReveal: () => void };

export function NewPasswordFields({ fault, revealed, onReveal }: NewPasswordFieldsProps) {
  const { t } = useLingui();
  const words: Record<PasswordFault, string> = {
    missing: t`Please enter password`,
    short: t`Password length cannot be less than 8 digits`,
    different: t`The passwords entered twice do not match, Please re-enter`,
  };
  const reveal = { revealed, onReveal, revealLabel: revealed ? t`Hide the password` : t`Show the password` };
  return (
    <>
      <PasswordField
        {...reveal}
        label={<Trans>New password</Trans>}
        name="new_password"
        autoComplete="new-password"
        enterKeyHint="next"
        placeholder={t`Enter 8-12 letters+Number`}
        invalid={fault === "different"}
      />
      <PasswordField
        {...reveal}
        label={<Trans>Confirm the new password</Trans>}
        name="new_password_confirmation"
        autoComplete="new-password"
        enterKeyHint="go"
        placeholder={t`The same once more`}
        error={fault === null ? undefined : words[fault]}
      />
    </>
  );
}
