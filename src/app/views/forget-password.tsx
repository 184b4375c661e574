/** Recovery, third screen: the security question and its answer. Specification, section 2 (forgetPassword). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { useApp, usePlace } from "../app.ts";
import { readForm } from "../forms.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Page } from "../parts/page.tsx";
import { Stack } from "../parts/stack.tsx";
import { QuestionField } from "./question-field.tsx";
import { Slow } from "./slow.tsx";

export function ForgetPassword() {
  const { t } = useLingui();
  const form = useId();
  const navigate = useNavigate();
  const { recovery } = useApp();
  const { userName = "" } = usePlace();
  const fault = useSelector(recovery, ({ context }) => context.fault);
  const busy = useSelector(recovery, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(recovery, (snapshot) => snapshot.hasTag("slow"));
  return (
    <Page
      large
      title={<Trans>Your security question</Trans>}
      lead={
        <Trans>
          The one you set for <b translate="no">{userName}</b>. Capital letters do not matter.
        </Trans>
      }
      backLabel={t`Back`}
      onBack={() => void navigate({ to: "/forgetPasswordInfo/$userName", params: { userName } })}
      foot={
        <>
          <Slow shown={slow} onGoOn={() => recovery.send({ type: "waiting.dropped" })}>
            <Trans>Stop waiting</Trans>
          </Slow>
          <Button type="submit" form={form} busy={busy}>
            <Trans>Set the new password</Trans>
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) =>
          recovery.send({
            type: "answer.submitted",
            ...readForm(event, "security_problem", "security_problem_value"),
          })
        }
        onInput={() => recovery.send({ type: "form.edited" })}
      >
        <Stack>
          <QuestionField
            error={fault === "problemMissing" ? t`Please select security Question` : undefined}
          />
          <Field
            label={<Trans>Secret answer</Trans>}
            name="security_problem_value"
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint="go"
            placeholder={t`Your answer`}
            error={fault === "answerMissing" ? t`Please enter the secret answer` : undefined}
          />
        </Stack>
      </form>
    </Page>
  );
}
