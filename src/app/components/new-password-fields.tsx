/** A new password and its repetition, with their errors. Specification, section 5 ("New password step", "Change password"). */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ChangeError } from "../../../machines/password.ts";
import type { PasswordChange, PasswordError } from "../../contract/password-rules.ts";
import { useMarks } from "./forms.ts";
import { PasswordField } from "../ui/field.tsx";

/** The shared props of a form's password fields, by name: shown and marked together. */
export function usePasswordFields(formError: ChangeError | null, revealed: boolean, onReveal: () => void) {
  const { t } = useLingui();
  const words: Record<PasswordError["kind"], string> = {
    missing: t`Please enter password`,
    short: t`Password length cannot be less than 8 digits`,
    different: t`The passwords entered twice do not match, Please re-enter`,
  };
  const message = formError && (formError.kind === "refused" ? formError.message : words[formError.kind]);
  const mark = useMarks(formError?.fields ?? [], message ?? undefined);
  return (name: keyof PasswordChange) => ({
    name,
    revealed,
    onReveal,
    revealLabel: revealed ? t`Hide the password` : t`Show the password`,
    ...mark(name),
  });
}

/** A hidden field with the account name under which password managers store the new password. */
export const AccountName = ({ value }: { value: string | null }) => (
  <input type="text" name="account_name" autoComplete="username" value={value ?? ""} readOnly hidden />
);

export function NewPasswordFields({ field }: { field: ReturnType<typeof usePasswordFields> }) {
  const { t } = useLingui();
  return (
    <>
      <PasswordField
        {...field("new_password")}
        label={<Trans>New password</Trans>}
        autoComplete="new-password"
        enterKeyHint="next"
        placeholder={t`Enter 8-12 letters+Number`}
      />
      <PasswordField
        {...field("new_password_confirmation")}
        label={<Trans>Confirm the new password</Trans>}
        autoComplete="new-password"
        enterKeyHint="go"
        placeholder={t`Enter it again`}
      />
    </>
  );
}
