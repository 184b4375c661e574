/** Account recovery, first screen: the account. Specification, section 2 (forgetPasswordUserName). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { recoveryMachine } from "../../../machines/recovery.ts";
import { useApp } from "../runtime/hooks.ts";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { AccountField } from "../components/account-field.tsx";
import { SupportLink } from "../components/support-link.tsx";

export default function RecoveryAccount() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "login" });
  const recovery = useApp().appActor(recoveryMachine);
  const formError = useSelector(recovery, ({ context }) => context.formError);
  const refused = formError?.kind === "refused" && formError.fields.includes("account_name");
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
        // Only the app submits it. If the browser did, POST would keep the typed text out of the URL.
        method="post"
        noValidate
        onSubmit={(event) => recovery.send({ type: "account.submitted", ...readForm(event, "account_name") })}
        onInput={() => recovery.send({ type: "form.edited" })}
      >
        <AccountField
          alone
          placeholder={t`Your account name`}
          error={
            formError?.kind === "accountMissing"
              ? t`Please enter your account`
              : refused
                ? formError.message
                : undefined
          }
        />
      </form>
    </Page>
  );
}
