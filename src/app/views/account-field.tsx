/** The account's name, wherever it is typed. Specification, section 2 (login, register, forgetPasswordUserName). */
import { Trans } from "@lingui/react/macro";
import type { Mark } from "../forms.ts";
import { Field } from "../parts/field.tsx";

type AccountFieldProps = Mark & {
  placeholder: string;
  /** It is the only field of its form. */
  alone?: boolean;
};

export function AccountField({ placeholder, alone = false, ...mark }: AccountFieldProps) {
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
      {...mark}
    />
  );
}
