/** What an operator pasted, in the forms in which it is looked up. A number comes from a mail, a chat or an explorer's address bar, and brings along what stood around it. */
import { hexToBytes } from "@noble/hashes/utils.js";
import { paymentAddress, toTronAddress } from "../../../contract/address.ts";
import { ORDER_ID } from "../../payments/orders.ts";

/** Characters that show nothing. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** What people and programs put around a word, or leave after it. */
const AROUND = /^[\s"'`‘’“”«»„<([{]+|[\s"'`‘’“”«»„>)\]},;.!]+$/gu;

/** A text as it was meant: digits and letters of full width are plain ones, and nothing unseen or quoted is left. */
export const tidied = (text: string): string =>
  text.normalize("NFKC").replaceAll(UNSEEN, "").replaceAll(AROUND, "");

export interface Pasted {
  /** Numbers of orders. */
  orders: string[];
  /** Addresses as the service writes them. */
  addresses: string[];
  /** Hashes of transactions, `0x` and 64 small hexadecimal digits. */
  transactions: string[];
  /** Numbers that a provider gave: they tell large letters from small ones. */
  references: string[];
}

/** An order's number. People read 0 as O, and 1 as I or L: no number holds those letters. */
function orderNumber(word: string): string | null {
  const number = word.replaceAll("-", "").toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return ORDER_ID.test(number) ? number : null;
}

/** A valid address of either network, also as nodes write those of Tron: 41 and 40 hexadecimal digits. */
function addressOf(word: string): string | null {
  const [, tron] = /^(?:0x)?41([\da-f]{40})$/i.exec(word) ?? [];
  if (tron !== undefined) return toTronAddress(hexToBytes(tron.toLowerCase()));
  const [, ethereum] = /^(?:0x)?([\da-f]{40})$/i.exec(word) ?? [];
  return ethereum === undefined ? paymentAddress("TRC20", word) : paymentAddress("ERC20", `0x${ethereum}`);
}

function transactionOf(word: string): string | null {
  const [, digits] = /^(?:0x)?([\da-f]{64})$/i.exec(word) ?? [];
  return digits === undefined ? null : `0x${digits.toLowerCase()}`;
}

const referenceOf = (word: string) => (/^[a-z]+_\w+$/i.test(word) ? word : null);

/**
 * Everything in a text that can name an order: the text without its spaces, and each word of it, so that the address of an
 * explorer's page names the transaction in it.
 */
export function pasted(text: string): Pasted {
  const tidy = tidied(text);
  const words = [...new Set([tidy.replaceAll(/\s/g, ""), ...tidy.split(/[^\w-]+/), ...tidy.split(/\W+/)])];
  const found = (read: (word: string) => string | null) => [
    ...new Set(words.map(read).filter((word) => word !== null)),
  ];
  return {
    orders: found(orderNumber),
    addresses: found(addressOf),
    transactions: found(transactionOf),
    references: found(referenceOf),
  };
}
