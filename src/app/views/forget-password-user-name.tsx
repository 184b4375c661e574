/** Recovery, first screen: whose account. Specification, section 2 (forgetPasswordUserName). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { recoveryMachine } from "../../../machines/recovery.ts";
import { useApp } from "../app.ts";
import { readForm } from "../forms.ts";
import { useBack } from "../link.tsx";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { AccountField } from "./account-field.tsx";
import { SupportLink } from "./support-link.tsx";

export function ForgetPasswordUserName() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "/login" });
  const recovery = useApp().outlive(recoveryMachine);
  const missing = useSelector(recovery, ({ context }) => context.fault?.kind === "accountMissing");
  return (
    <Page
      large
      title={<Trans>Forgot your password?</Trans>}
      lead={
        <Trans>Enter your account name. If it has a security question, you can set a new password.</Trans>
      }
      backLabel={t`Back`}
      onBack={back}
      foot={
        <>
          <Button type="submit" form={form}>
            <Trans>Next step</Trans>
          </Button>
          <SupportLink />
        </>
      }
    >
      <form
        id={form}
        // Sent by nobody but the app; were there none, nothing typed would stand in an address.
        method="post"
        noValidate
        onSubmit={(event) => recovery.send({ type: "account.submitted", ...readForm(event, "account_name") })}
        onInput={() => recovery.send({ type: "form.edited" })}
      >
        <AccountField
          alone
          placeholder={t`Your account name`}
          error={missing ? t`Please enter your account` : undefined}
        />
      </form>
    </Page>
  );
}
