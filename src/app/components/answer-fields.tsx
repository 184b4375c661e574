/** A security question and its answer, with their errors. Specification, section 5 ("Security step", "Set security question"). */
import { Trans, useLingui } from "@lingui/react/macro";
import type { FieldError } from "../../../machines/form.ts";
import type { AnswerError } from "../../../machines/recovery.ts";
import type { QuestionError } from "../../../machines/security-question.ts";
import { Field } from "../ui/field.tsx";
import { QuestionField } from "./question-field.tsx";

type AnswerFieldsProps = {
  formError: AnswerError | QuestionError | FieldError<string> | null;
  placeholder: string;
  /** The label of the keyboard's Enter key, unless it is the last field. */
  enterKeyHint?: "next" | "go";
};

export function AnswerFields({ formError, placeholder, enterKeyHint = "go" }: AnswerFieldsProps) {
  const { t } = useLingui();
  const wrong =
    formError !== null && (formError.fields as readonly string[]).includes("security_problem_value");
  return (
    <>
      <QuestionField
        error={formError?.kind === "problemMissing" ? t`Please select security Question` : undefined}
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
          formError?.kind === "answerMissing"
            ? t`Please enter the secret answer`
            : formError?.kind === "refused" && wrong
              ? formError.message
              : undefined
        }
      />
    </>
  );
}
