/** Account recovery, third screen: the security question and its answer. Specification, section 2 (forgetPassword). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import {
  recoveryMachine,
  type AnswerError,
  type RecoveryError,
  type RecoveryFieldError,
} from "../../../machines/recovery.ts";
import { useApp, useRouteParams } from "../runtime/hooks.ts";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { Page } from "../ui/page.tsx";
import { Stack } from "../ui/stack.tsx";
import { AnswerFields } from "../components/answer-fields.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { FormError } from "../components/form-error.tsx";
import { SupportLink } from "../components/support-link.tsx";

/** The errors of this screen, and the API's error on submit. Fields of other screens cannot be marked here. */
function errorHere(formError: RecoveryError | null): AnswerError | RecoveryFieldError | null {
  if (formError?.kind === "problemMissing" || formError?.kind === "answerMissing") return formError;
  if (formError?.kind !== "refused") return null;
  return formError.fields.includes("security_problem_value") ? formError : { ...formError, fields: [] };
}

export default function RecoveryQuestion() {
  const { t } = useLingui();
  const form = useId();
  const recovery = useApp().appActor(recoveryMachine);
  const { userName = "" } = useRouteParams();
  const back = useBack({ to: "recoveryPassword", params: { userName } });
  const formError = errorHere(useSelector(recovery, ({ context }) => context.formError));
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
      onBack={back}
      foot={
        <>
          <ActionFoot actor={recovery} form={form}>
            <Trans>Set the new password</Trans>
          </ActionFoot>
          <SupportLink />
        </>
      }
    >
      <form
        method="post"
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
          <AnswerFields formError={formError} placeholder={t`Your answer`} />
          <FormError error={formError} />
        </Stack>
      </form>
    </Page>
  );
}
