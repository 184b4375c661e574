/** Account recovery, second screen: the new password. Specification, section 2 (forgetPasswordInfo). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import type { FieldError } from "../../../machines/form.ts";
import { pair, type NewPassword, type PasswordError } from "../../contract/password-rules.ts";
import { recoveryMachine, type RecoveryError } from "../../../machines/recovery.ts";
import { useApp, useRouteParams } from "../runtime/hooks.ts";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Stack } from "../ui/stack.tsx";
import { AccountName, NewPasswordFields, usePasswordFields } from "../components/new-password-fields.tsx";

/** The errors of this screen; those of the other two are not shown here. */
const isOurs = (
  formError: RecoveryError | null,
): formError is PasswordError | FieldError<keyof NewPassword> =>
  formError?.kind === "missing" ||
  formError?.kind === "short" ||
  formError?.kind === "different" ||
  (formError?.kind === "refused" && pair.some((name) => formError.fields.includes(name)));

export default function RecoveryPassword() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "recoveryAccount" });
  const { appActor, newVisit } = useApp();
  const recovery = appActor(recoveryMachine);
  const { userName = "" } = useRouteParams();
  const formError = useSelector(recovery, ({ context }) =>
    isOurs(context.formError) ? context.formError : null,
  );
  const revealed = useSelector(recovery, (snapshot) => snapshot.matches({ secret: "revealed" }));
  const field = usePasswordFields(formError, revealed, () => recovery.send({ type: "secret.toggled" }));
  return (
    <Page
      large
      title={<Trans>Choose a new password</Trans>}
      lead={
        <Trans>
          For the account{" "}
          <b translate="no" data-filled="user">
            {userName}
          </b>
          . Next we ask your security question.
        </Trans>
      }
      backLabel={t`Back`}
      onBack={back}
      foot={
        <Button type="submit" form={form}>
          <Trans>Next step</Trans>
        </Button>
      }
    >
      <form
        method="post"
        id={form}
        noValidate
        onSubmit={(event) =>
          recovery.send({
            type: "password.submitted",
            account_name: userName,
            handle: newVisit(),
            ...readForm(event, "new_password", "new_password_confirmation"),
          })
        }
        onInput={() => recovery.send({ type: "form.edited" })}
      >
        <AccountName value={userName} />
        <Stack>
          <NewPasswordFields field={field} />
        </Stack>
      </form>
    </Page>
  );
}
