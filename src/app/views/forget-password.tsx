/** Recovery, third screen: the security question and its answer. Specification, section 2 (forgetPassword). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import {
  recoveryMachine,
  type AnswerFault,
  type RecoveryFault,
  type RecoveryRefused,
} from "../../../machines/recovery.ts";
import { useApp, usePlace } from "../app.ts";
import { readForm } from "../forms.ts";
import { useBack } from "../link.tsx";
import { Page } from "../parts/page.tsx";
import { Stack } from "../parts/stack.tsx";
import { AnswerFields } from "./answer-fields.tsx";
import { ActionFoot } from "./action-foot.tsx";
import { Refusal } from "./refusal.tsx";
import { SupportLink } from "./support-link.tsx";

/** The faults of this screen; those of the other two are not told here. */
const isOurs = (fault: RecoveryFault | null): fault is AnswerFault | RecoveryRefused =>
  fault?.kind === "problemMissing" || fault?.kind === "answerMissing" || fault?.kind === "refused";

export function ForgetPassword() {
  const { t } = useLingui();
  const form = useId();
  const recovery = useApp().outlive(recoveryMachine);
  const { userName = "" } = usePlace();
  const back = useBack({ to: "/forgetPasswordInfo/$userName", params: { userName } });
  const fault = useSelector(recovery, ({ context }) => (isOurs(context.fault) ? context.fault : null));
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
          <AnswerFields fault={fault} placeholder={t`Your answer`} />
          <Refusal fault={fault} />
        </Stack>
      </form>
    </Page>
  );
}
