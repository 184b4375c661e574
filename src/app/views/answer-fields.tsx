/** A security question and its answer, with what may be missing. Specification, section 5 ("Security step", "Set security question"). */
import { Trans, useLingui } from "@lingui/react/macro";
import { Field } from "../parts/field.tsx";
import { QuestionField } from "./question-field.tsx";

type AnswerFieldsProps = {
  missing: "problem" | "answer" | null;
  placeholder: string;
};

export function AnswerFields({ missing, placeholder }: AnswerFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <QuestionField error={missing === "problem" ? t`Please select security Question` : undefined} />
      <Field
        label={<Trans>Secret answer</Trans>}
        name="security_problem_value"
        required
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="go"
        placeholder={placeholder}
        error={missing === "answer" ? t`Please enter the secret answer` : undefined}
      />
    </>
  );
}
