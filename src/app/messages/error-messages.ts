/** Errors in words: the error catalogue of section 8, in the language in use. */
import { msg } from "@lingui/core/macro";
import type { EarlierKind } from "../../../machines/earlier-orders.ts";
import type { KeptPayment } from "../../../machines/kept-orders.ts";
import type { CallError } from "../../../machines/call-error.ts";
import type { Words } from "../../../machines/notifications.ts";

export const pleaseLogIn: Words = msg`Please log in first`;
const noConnection = msg`No connection. Check your network and try again.`;
export const signedOutElsewhere: Words = msg`You were logged out in another window.`;

/** Shown before another payment begins. Decisions, "Pay once". */
export const earlierFirst: Words = msg`First, see what became of your earlier payment.`;
/** Why an earlier payment is shown. A part payment's own screen explains it. */
export const earlierMessages: Record<EarlierKind, Words | null> = {
  paid: msg`You have already paid. Here is the bill.`,
  arrived: earlierFirst,
  open: earlierFirst,
  reported: earlierFirst,
  part: null,
};

/** Shown for a payment that was reported as failed and went through. */
export const wentThrough = ({ packName }: Pick<KeptPayment, "packName">): Words =>
  msg`Your payment for ${packName} went through after all.`;

/** The message of an error. */
export function errorMessage(error: CallError): Words {
  switch (error.kind) {
    case "refused":
      return error.message || msg`That did not work. Please try again.`;
    case "signedOut":
      return pleaseLogIn;
    case "http":
      return wordStatus(error.status, error.path);
    case "network":
      return noConnection;
    case "barred":
      return msg`The card provider is blocked here. Turn off content blockers or private browsing and try again, or pay in USDT.`;
    case "outdated":
      return msg`There is a newer version of this page. Reload it to go on.`;
    case "unreadable":
      return msg`Something went wrong on our side. Please try again.`;
  }
}

function wordStatus(status: number, path: string): Words {
  switch (status) {
    case 400:
      return msg`Request error`;
    case 401:
      return msg`Unauthorized, please log in`;
    case 403:
      return msg`Access denied`;
    case 404:
      return msg`Request address error: ${path}`;
    case 408:
      return msg`Request timeout`;
    case 429:
      return msg`Too many requests. Please wait a minute and try again.`;
    case 500:
      return msg`Internal server error`;
    case 501:
      return msg`Service not implemented`;
    case 502:
      return msg`Bad gateway`;
    case 503:
      return msg`Service unavailable`;
    case 504:
      return msg`Gateway timeout`;
    case 505:
      return msg`HTTP version not supported`;
    default:
      return msg`Network fault`;
  }
}
