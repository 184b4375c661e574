/** Create an account. Specification, sections 2 (register) and 5. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { registerMachine } from "../../../machines/register.ts";
import { useChart } from "../runtime/hooks.ts";
import { readForm } from "../components/forms.ts";
import { linkWith, Link, useBack } from "../components/link.tsx";
import { ButtonAnchor } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { PasswordField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Stack } from "../ui/stack.tsx";
import { AccountField } from "../components/account-field.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { FormError } from "../components/form-error.tsx";

const ButtonLink = linkWith(ButtonAnchor);

export default function Register() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "login" });
  const register = useChart(registerMachine);
  const formError = useSelector(register, ({ context }) => context.formError);
  /** The API's message. */
  const refusedFor = (name: "account_name" | "password") =>
    formError?.kind === "refused" && formError.fields.includes(name) ? formError.message : undefined;
  const revealed = useSelector(register, (snapshot) => snapshot.matches({ secret: "revealed" }));
  const shaking = useSelector(register, (snapshot) => snapshot.matches({ form: { editing: "shaking" } }));
  return (
    <Page
      large
      title={<Trans>Create an account</Trans>}
      lead={<Trans>No email, no phone number. An account name and a password are all we ask.</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        <>
          <ActionFoot actor={register} form={form}>
            <Trans>Create account</Trans>
          </ActionFoot>
          <ButtonLink to="login" data-tone="quiet">
            <Trans>I already have an account</Trans>
          </ButtonLink>
        </>
      }
    >
      <form
        id={form}
        // Only the app submits it. If the browser did, POST would keep the typed text out of the URL.
        method="post"
        noValidate
        onSubmit={(event) => {
          const { agreement, ...credentials } = readForm(event, "account_name", "password", "agreement");
          register.send({ type: "form.submitted", ...credentials, agreement: agreement !== "" });
        }}
        onInput={() => register.send({ type: "form.edited" })}
      >
        <Stack>
          <AccountField
            placeholder={t`6-12 characters`}
            error={
              formError?.kind === "accountShort"
                ? t`The account length cannot be less than 4 characters`
                : refusedFor("account_name")
            }
          />
          <PasswordField
            label={<Trans>Password</Trans>}
            name="password"
            autoComplete="new-password"
            enterKeyHint="go"
            placeholder={t`Enter 8-12 letters+Number`}
            revealed={revealed}
            onReveal={() => register.send({ type: "secret.toggled" })}
            revealLabel={revealed ? t`Hide the password` : t`Show the password`}
            invalid={formError?.kind === "accountShort" && formError.fields.includes("password")}
            error={
              formError?.kind === "passwordShort"
                ? t`Password length cannot be less than 6 digits`
                : refusedFor("password")
            }
          />
          <Checkbox
            name="agreement"
            value="yes"
            shaking={shaking}
            error={
              formError?.kind === "unticked" ? t`Please agree to the user service agreement first` : undefined
            }
          >
            <Trans>
              I have read and agree to the <Link to="agreement">user service agreement</Link>
            </Trans>
          </Checkbox>
          <FormError error={formError} />
        </Stack>
      </form>
    </Page>
  );
}
