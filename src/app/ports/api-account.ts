/** The API's calls about the account: registering, logging in and out, its member, its profile, its password and what recovers it. */
import type { Confirmation } from "../../../machines/form.ts";
import type { Credentials } from "../../../machines/login.ts";
import type { Sex } from "../../../machines/profile.ts";
import type { Answer } from "../../../machines/recovery.ts";
import type { ConfirmedAnswer } from "../../../machines/security-question.ts";
import type { Ended, Session } from "../../../machines/sessions.ts";
import { centre, loggedIn, paths, securityProblems, sessionList, type Member } from "../../contract/calls.ts";
import { distanceTo, type Distance } from "../../contract/moments.ts";
import type { NewPassword, PasswordChange } from "../../contract/password-rules.ts";
import type { ApiDependencies, Requests } from "./api-request.ts";

type MemberRead = Member & { end: Distance | null };

export function accountCalls({ get, post, change }: Requests, { clock }: Pick<ApiDependencies, "clock">) {
  const readMember = async (signal?: AbortSignal, quiet = false): Promise<MemberRead> => {
    const { user } = await get(paths.centre, centre, signal, { quiet });
    const ended = user.pack_name === null ? user.membership_ended_at : null;
    return { ...user, end: distanceTo(ended ?? user.pack_exp_date, clock.now()) };
  };

  return {
    logIn: async (credentials: Credentials, signal?: AbortSignal) => {
      const { user } = await post(paths.login, loggedIn, credentials, signal, { public: true });
      return { accountName: user.account_name };
    },
    register: (credentials: Credentials, signal?: AbortSignal) =>
      change(paths.register, credentials, signal, { public: true }),
    /** Ends the session of `token`, which this browser has forgotten by then. */
    logOut: (token: string | null) => change(paths.logout, undefined, undefined, { keepalive: true, token }),
    readMember: (signal?: AbortSignal) => readMember(signal),
    /** The same, but an answer "not signed in" does not end the session: for screens that are open to visitors. */
    peekMember: (signal?: AbortSignal) => readMember(signal, true),
    saveParticulars: (body: { name: string; sex: Sex | ""; birth_date: string }, signal?: AbortSignal) =>
      change(paths.updateProfile, body, signal),
    changePassword: (body: PasswordChange, signal?: AbortSignal) =>
      change(paths.changePassword, body, signal),
    deleteAccount: (body: Confirmation, signal?: AbortSignal) => change(paths.deleteAccount, body, signal),
    resetPassword: (body: NewPassword & Answer & { account_name: string }, signal?: AbortSignal) =>
      change(paths.recover, body, signal, { public: true }),
    readQuestions: (signal?: AbortSignal) =>
      get(paths.securityProblems, securityProblems, signal, { public: true }),
    saveQuestion: (answer: ConfirmedAnswer, signal?: AbortSignal) =>
      change(paths.saveSecurityProblem, answer, signal),
    readSessions: async (signal?: AbortSignal): Promise<readonly Session[]> => {
      const list = await get(paths.sessions, sessionList, signal);
      return list.map(({ session_id, created_at, used_at, network, browser, device, current }) => ({
        sessionId: session_id,
        createdAt: created_at,
        usedAt: used_at,
        network,
        browser,
        device,
        isCurrent: current,
      }));
    },
    endSessions: ({ sessionId, password }: Ended & { password: string }, signal?: AbortSignal) =>
      change(
        sessionId === null ? paths.endOtherSessions : paths.endSession,
        { ...(sessionId !== null && { session_id: sessionId }), password },
        signal,
      ),
  };
}
