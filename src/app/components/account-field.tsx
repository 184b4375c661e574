/** The account name field of every form. Specification, section 2 (login, register, forgetPasswordUserName). */
import { Trans } from "@lingui/react/macro";
import type { Mark } from "./forms.ts";
import { Field } from "../ui/field.tsx";

type AccountFieldProps = Mark & {
  placeholder: string;
  /** Whether it is the form's only field. */
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
