/** Changing the password. Specification, sections 2 (changePassword) and 5. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { passwordMachine } from "../../../machines/password.ts";
import { useApp, useChart } from "../runtime/hooks.ts";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { PasswordField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Stack } from "../ui/stack.tsx";
import { AccountName, NewPasswordFields, usePasswordFields } from "../components/new-password-fields.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { FormError } from "../components/form-error.tsx";

export default function ChangePassword() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "settings" });
  const password = useChart(passwordMachine);
  const formError = useSelector(password, ({ context }) => context.formError);
  const userName = useSelector(useApp().session, ({ context }) => context.userName);
  const revealed = useSelector(password, (snapshot) => snapshot.matches({ secret: "revealed" }));
  const field = usePasswordFields(formError, revealed, () => password.send({ type: "secret.toggled" }));
  return (
    <Page
      large
      title={<Trans>Change Password</Trans>}
      lead={
        <Trans>You will be logged out on all devices and need to log in again with the new password.</Trans>
      }
      backLabel={t`Back`}
      onBack={back}
      foot={
        <ActionFoot actor={password} form={form}>
          <Trans>Change Password</Trans>
        </ActionFoot>
      }
    >
      <form
        method="post"
        id={form}
        noValidate
        onSubmit={(event) =>
          password.send({
            type: "form.submitted",
            ...readForm(event, "old_password", "new_password", "new_password_confirmation"),
          })
        }
        onInput={() => password.send({ type: "form.edited" })}
      >
        <AccountName value={userName} />
        <Stack>
          <PasswordField
            {...field("old_password")}
            label={<Trans>Old password</Trans>}
            autoComplete="current-password"
            enterKeyHint="next"
            placeholder={t`The password you use now`}
          />
          <NewPasswordFields field={field} />
          <FormError error={formError} />
        </Stack>
      </form>
    </Page>
  );
}
