/** The security questions. An answer is stored with a question's id, so that it is the same question in both languages; an id is never used for another question. */
import type { Language } from "../../contract/languages.ts";

const questions: ReadonlyMap<string, Record<Language, string>> = new Map([
  ["mother-birthplace", { en: "In which town was your mother born?", "zh-CN": "你母亲出生在哪个城镇？" }],
  ["first-school", { en: "What was the name of your first school?", "zh-CN": "你的第一所学校叫什么名字？" }],
  ["childhood-friend", { en: "Who was your best friend as a child?", "zh-CN": "你儿时最好的朋友是谁？" }],
  ["first-pet", { en: "What was the name of your first pet?", "zh-CN": "你的第一只宠物叫什么名字？" }],
  ["first-job", { en: "In which city did you have your first job?", "zh-CN": "你的第一份工作在哪个城市？" }],
  ["favourite-teacher", { en: "Who was your favourite teacher?", "zh-CN": "你最喜欢的老师是谁？" }],
  ["childhood-street", { en: "On which street did you grow up?", "zh-CN": "你是在哪条街上长大的？" }],
  ["first-book", { en: "Which book did you first love?", "zh-CN": "你最早爱上的书是哪一本？" }],
]);

export const questionsIn = (language: Language): string[] =>
  [...questions.values()].map((question) => question[language]);

/** The question with that id, or null. */
export const questionOf = (id: string | null, language: Language): string | null =>
  questions.get(id ?? "")?.[language] ?? null;

/** The id of a question said in either language, or null. */
export function questionId(text: string): string | null {
  for (const [id, question] of questions) {
    if (Object.values(question).includes(text.normalize("NFC"))) return id;
  }
  return null;
}
