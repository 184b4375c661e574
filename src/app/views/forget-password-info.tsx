/** Recovery, second screen: the new password. Specification, section 2 (forgetPasswordInfo). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import type { PasswordFault } from "../../../machines/password-rules.ts";
import { recoveryMachine, type RecoveryFault } from "../../../machines/recovery.ts";
import { useApp, usePlace } from "../app.ts";
import { readForm } from "../forms.ts";
import { useBack } from "../link.tsx";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Stack } from "../parts/stack.tsx";
import { AccountName, NewPasswordFields, usePasswordFields } from "./new-password-fields.tsx";

/** The faults of this screen; those of the other two are not told here. */
const isOurs = (fault: RecoveryFault | null): fault is PasswordFault =>
  fault?.kind === "missing" || fault?.kind === "short" || fault?.kind === "different";

export function ForgetPasswordInfo() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "/forgetPasswordUserName" });
  const { outlive, newVisit } = useApp();
  const recovery = outlive(recoveryMachine);
  const { userName = "" } = usePlace();
  const fault = useSelector(recovery, ({ context }) => (isOurs(context.fault) ? context.fault : null));
  const revealed = useSelector(recovery, (snapshot) => snapshot.matches({ secret: "revealed" }));
  const field = usePasswordFields(fault, revealed, () => recovery.send({ type: "secret.toggled" }));
  return (
    <Page
      large
      title={<Trans>Choose a new password</Trans>}
      lead={
        <Trans>
          For the account <b translate="no">{userName}</b>. Next we ask your security question.
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
