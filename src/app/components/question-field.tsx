/** The field that opens the sheet of security questions. Specification, sections 2 (forgetPassword) and 9 ("Security-question popup height"). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useEffect, type ReactNode } from "react";
import styled from "styled-components";
import type { ActorRefFrom } from "xstate";
import { questionListMachine } from "../../../machines/question-list.ts";
import { useChart } from "../runtime/hooks.ts";
import { PickField } from "../ui/field.tsx";
import { PickerSheet } from "../ui/picker-sheet.tsx";
import { Wheel } from "../ui/wheel.tsx";
import { SlowNotice } from "./slow-notice.tsx";

/** The slow-request notice below the field; takes no space before. */
const Waiting = styled.div`
  > [role="status"]:not(:empty) {
    margin-top: 8px;
  }
`;

/** Submits the chosen question under the API's field name. */
export function QuestionField({ error }: { error: ReactNode }) {
  const { t } = useLingui();
  const list = useChart(questionListMachine);
  const chosen = useSelector(list, ({ context }) => context.chosen);
  const busy = useSelector(list, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(list, (snapshot) => snapshot.hasTag("slow"));
  useEffect(() => {
    if (!busy) return;
    const hear = ({ target }: Event) => {
      if (target instanceof HTMLInputElement) list.send({ type: "field.entered" });
    };
    // A tap on a button leaves the focus, and the keyboard, where they were: the next letter tells then.
    for (const type of ["focusin", "input"]) document.addEventListener(type, hear);
    return () => {
      for (const type of ["focusin", "input"]) document.removeEventListener(type, hear);
    };
  }, [list, busy]);
  return (
    <>
      <input type="hidden" name="security_problem" value={chosen ?? ""} />
      <Waiting>
        <PickField
          label={<Trans>Security question</Trans>}
          placeholder={busy ? t`Loading` : t`Choose a question`}
          value={chosen}
          // Once a question is chosen it is no longer missing.
          error={chosen === null ? error : undefined}
          aria-busy={busy}
          onClick={() => list.send({ type: "sheet.requested" })}
        />
        <SlowNotice shown={slow} onGoOn={() => list.send({ type: "sheet.dismissed" })}>
          <Trans>Stop waiting</Trans>
        </SlowNotice>
      </Waiting>
      <QuestionSheet list={list} />
    </>
  );
}

function QuestionSheet({ list }: { list: ActorRefFrom<typeof questionListMachine> }) {
  const { t } = useLingui();
  const open = useSelector(list, (snapshot) => snapshot.matches("open"));
  const questions = useSelector(list, ({ context }) => context.questions);
  const draft = useSelector(list, ({ context }) => context.draft);
  return (
    <PickerSheet
      open={open}
      height="58%"
      title={<Trans>Security question</Trans>}
      cancelLabel={t`Close`}
      confirmLabel={<Trans>Confirm</Trans>}
      onCancel={() => list.send({ type: "sheet.dismissed" })}
      onConfirm={() => list.send({ type: "sheet.confirmed" })}
    >
      <Wheel
        label={t`Security question`}
        options={questions.map((question) => ({ value: question, label: question }))}
        value={draft ?? ""}
        onChange={(question) => list.send({ type: "question.turned", question })}
      />
    </PickerSheet>
  );
}
