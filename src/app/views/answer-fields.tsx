/** A security question and its answer, with what may be missing. Specification, section 5 ("Security step", "Set security question"). */
import { Trans, useLingui } from "@lingui/react/macro";
import type { AnswerFault, RecoveryRefused } from "../../../machines/recovery.ts";
import { Field } from "../parts/field.tsx";
import { QuestionField } from "./question-field.tsx";

type AnswerFieldsProps = {
  fault: AnswerFault | RecoveryRefused | null;
  placeholder: string;
};

export function AnswerFields({ fault, placeholder }: AnswerFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <QuestionField
        error={fault?.kind === "problemMissing" ? t`Please select security Question` : undefined}
      />
      <Field
        label={<Trans>Secret answer</Trans>}
        name="security_problem_value"
        required
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="go"
        placeholder={placeholder}
        invalid={fault?.fields.includes("security_problem_value")}
        error={fault?.kind === "answerMissing" ? t`Please enter the secret answer` : undefined}
      />
    </>
  );
}
