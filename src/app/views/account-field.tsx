/** The account's name, wherever it is typed. Specification, section 2 (login, register, forgetPasswordUserName). */
import { Trans } from "@lingui/react/macro";
import { Field } from "../parts/field.tsx";

type AccountFieldProps = {
  placeholder: string;
  error?: string | undefined;
  /** It is the only field of its form. */
  alone?: boolean;
};

export function AccountField({ placeholder, error, alone = false }: AccountFieldProps) {
  return (
    <Field
      label={<Trans>Account</Trans>}
      name="account_name"
      required
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint={alone ? "go" : "next"}
      placeholder={placeholder}
      error={error}
    />
  );
}
