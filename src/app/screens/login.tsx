/** Log in. Specification, section 2 (login). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { loginMachine } from "../../../machines/login.ts";
import { useChart } from "../runtime/hooks.ts";
import { readForm, useMarks } from "../components/forms.ts";
import { linkWith, Link, useBack } from "../components/link.tsx";
import { ButtonAnchor } from "../ui/button.tsx";
import { PasswordField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Stack } from "../ui/stack.tsx";
import { AccountField } from "../components/account-field.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { FormError } from "../components/form-error.tsx";

const ButtonLink = linkWith(ButtonAnchor);

export default function Login() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "landing" });
  const login = useChart(loginMachine);
  const formError = useSelector(login, ({ context }) => context.formError);
  const mark = useMarks(
    formError?.fields ?? [],
    formError?.kind === "refused" ? formError.message : t`Please enter your account and password`,
  );
  const revealed = useSelector(login, (snapshot) => snapshot.matches({ secret: "revealed" }));
  return (
    <Page
      large
      title={<Trans>Welcome back</Trans>}
      lead={<Trans>Log in to see your membership or finish a payment.</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        <>
          <ActionFoot actor={login} form={form}>
            <Trans>Log in</Trans>
          </ActionFoot>
          <ButtonLink to="register" data-tone="quiet">
            <Trans>Create an account</Trans>
          </ButtonLink>
        </>
      }
    >
      <form
        id={form}
        // Only the app submits it. If the browser did, POST would keep the typed text out of the URL.
        method="post"
        noValidate
        onSubmit={(event) =>
          login.send({ type: "form.submitted", ...readForm(event, "account_name", "password") })
        }
        onInput={() => login.send({ type: "form.edited" })}
      >
        <Stack>
          <AccountField placeholder={t`Your account name`} {...mark("account_name")} />
          <PasswordField
            label={<Trans>Password</Trans>}
            name="password"
            autoComplete="current-password"
            enterKeyHint="go"
            placeholder={t`Your password`}
            revealed={revealed}
            onReveal={() => login.send({ type: "secret.toggled" })}
            revealLabel={revealed ? t`Hide the password` : t`Show the password`}
            hint={
              <Link to="recoveryAccount">
                <Trans>Forgot your password?</Trans>
              </Link>
            }
            {...mark("password")}
          />
          <FormError error={formError} />
        </Stack>
      </form>
    </Page>
  );
}
