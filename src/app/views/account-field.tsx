/** The account's name, wherever it is typed. Specification, section 2 (login, register, forgetPasswordUserName). */
import { Trans } from "@lingui/react/macro";
import { Field } from "../parts/field.tsx";

export function AccountField({ placeholder, error }: { placeholder: string; error?: string | undefined }) {
  return (
    <Field
      label={<Trans>Account</Trans>}
      name="account_name"
      required
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="next"
      placeholder={placeholder}
      error={error}
    />
  );
}
