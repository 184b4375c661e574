/** A security question and its answer, with their errors. Specification, section 5 ("Security step", "Set security question"). */
import { Trans, useLingui } from "@lingui/react/macro";
import type { FieldRefused } from "../../../machines/field-refused.ts";
import type { AnswerFault } from "../../../machines/recovery.ts";
import type { QuestionFault } from "../../../machines/security-question.ts";
import { Field } from "../ui/field.tsx";
import { QuestionField } from "./question-field.tsx";

type AnswerFieldsProps = {
  fault: AnswerFault | QuestionFault | FieldRefused<string> | null;
  placeholder: string;
  /** Where it is not the last field: what the keyboard's key is called. */
  enterKeyHint?: "next" | "go";
};

export function AnswerFields({ fault, placeholder, enterKeyHint = "go" }: AnswerFieldsProps) {
  const { t } = useLingui();
  const wrong = fault !== null && (fault.fields as readonly string[]).includes("security_problem_value");
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
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint={enterKeyHint}
        placeholder={placeholder}
        invalid={wrong}
        error={
          fault?.kind === "answerMissing"
            ? t`Please enter the secret answer`
            : fault?.kind === "refused" && wrong
              ? fault.message
              : undefined
        }
      />
    </>
  );
}
