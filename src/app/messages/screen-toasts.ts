/** Toasts that the landing page never shows: their messages load with those of the other screens. */
import { msg } from "@lingui/core/macro";
import type { Words } from "../../../machines/notifications.ts";

export const accountDeleted: Words = msg`Your account has been deleted`;
export const perhapsDeleted: Words = msg`You were logged out. If you cannot log in any more, your account has been deleted.`;
export const perhapsChanged: Words = msg`Log in again: with the new password or, if that fails, with the old one.`;
export const loginSucceeded: Words = msg`Login succeeded`;
export const passwordChanged: Words = msg`Password changed successfully, please log in again`;
export const orderIdCopied: Words = msg`Replicating Success`;
export const copied: Words = msg`Copied`;
export const receiptSaved: Words = msg`Receipt saved`;
export const pictureFailed: Words = msg`The picture could not be saved. Take a screenshot instead.`;
export const printFailed: Words = msg`This browser cannot print. Save the receipt as a picture instead.`;
export const copyingBlocked: Words = msg`Copying is blocked here. Press and hold the text to copy it.`;
export const modified: Words = msg`Modified successfully`;
export const sessionsEnded: Words = msg`Logged out on the other devices`;
