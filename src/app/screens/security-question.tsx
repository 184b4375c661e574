/** Setting the security question, or another one, with the password; until then it is read-only. Specification, sections 2 (modifyPassword), 4 and 5. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { securityQuestionMachine } from "../../../machines/security-question.ts";
import { useApp, useChart, useScreenActivated } from "../runtime/hooks.ts";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Row, RowBody, Rows } from "../ui/rows.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { Note } from "../ui/text.tsx";
import { AccountName } from "../components/new-password-fields.tsx";
import { AnswerFields } from "../components/answer-fields.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { AsyncContent } from "../components/async-content.tsx";
import { ConfirmingPassword } from "../components/confirming-password.tsx";
import { FormError } from "../components/form-error.tsx";

export default function SecurityQuestion() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "settings" });
  const security = useChart(securityQuestionMachine);
  useScreenActivated(security);
  const userName = useSelector(useApp().session, ({ context }) => context.userName);
  const question = useSelector(security, ({ context }) => context.question);
  const formError = useSelector(security, ({ context }) => context.formError);
  const settled = useSelector(security, (snapshot) => snapshot.matches("settled"));
  const asking = useSelector(
    security,
    (snapshot) => snapshot.matches("editing") || snapshot.matches("saving"),
  );
  return (
    <Page
      large
      title={<Trans>Security question</Trans>}
      lead={<Trans>The only way to reset a forgotten password yourself.</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        asking ? (
          <ActionFoot actor={security} form={form}>
            <Trans>Set the question</Trans>
          </ActionFoot>
        ) : settled ? (
          <Button tone="secondary" onClick={() => security.send({ type: "question.replaced" })}>
            <Trans>Choose another question</Trans>
          </Button>
        ) : null
      }
    >
      <AsyncContent actor={security}>
        <Skeleton height="82px" />
        <Skeleton height="82px" />
      </AsyncContent>
      {settled ? (
        <Stack>
          <Rows>
            <Row>
              <RowBody reading label={<Trans>Your question</Trans>} note={question} />
            </Row>
          </Rows>
          <Note>
            <Trans>Only you know the answer: we keep no readable copy.</Trans>
          </Note>
        </Stack>
      ) : null}
      {asking ? (
        <form
          method="post"
          id={form}
          noValidate
          onSubmit={(event) =>
            security.send({
              type: "form.submitted",
              ...readForm(event, "security_problem", "security_problem_value", "password"),
            })
          }
          onInput={() => security.send({ type: "form.edited" })}
        >
          <AccountName value={userName} />
          <Stack>
            <AnswerFields
              formError={formError}
              placeholder={t`Something only you know`}
              enterKeyHint="next"
            />
            <ConfirmingPassword formError={formError} />
            <FormError error={formError} />
          </Stack>
        </form>
      ) : null}
    </Page>
  );
}
