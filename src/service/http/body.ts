/** How the body of a call is read, in any of three kinds, and what is said of one that is not as it should be. Specification, section 7. */
import type { Context } from "hono";
import * as v from "valibot";
import { ApiError } from "../platform/errors.ts";
import type { Word } from "../platform/messages.ts";

/**
 * The body, whether JSON, form-urlencoded or form-data, as `schema` wants it.
 * @throws ApiError
 */
export async function readBody<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const type = c.req.header("Content-Type") ?? "";
  let body: unknown;
  try {
    body = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
      ? await c.req.parseBody()
      : await c.req.json();
  } catch {
    throw ApiError.of("unreadable");
  }
  const result = v.safeParse(schema, body);
  if (!result.success) throw refusalOf(result.issues[0]);
  return result.output;
}

/** The entries that people type, and what is said of those that are too long or hold half a character. */
const passwordWords = { max_length: "passwordTooLong", regex: "passwordUnseen" } as const;
const textWords = new Map<string, { max_length: Word; regex?: Word }>([
  ["account_name", { max_length: "nameTooLong" }],
  ["password", passwordWords],
  ["old_password", passwordWords],
  ["new_password", passwordWords],
  ["new_password_confirmation", passwordWords],
  ["security_problem", { max_length: "questionMissing" }],
  ["security_problem_value", { max_length: "answerTooLong", regex: "answerUnseen" }],
  ["name", { max_length: "nicknameTooLong" }],
]);

function refusalOf(issue: v.BaseIssue<unknown>): ApiError {
  const entry = v.getDotPath(issue) ?? "";
  const words = textWords.get(entry);
  if (!words) return ApiError.of("unreadable");
  const word = issue.type === "max_length" || issue.type === "regex" ? words[issue.type] : undefined;
  return ApiError.of(word ?? "unreadable", entry);
}
