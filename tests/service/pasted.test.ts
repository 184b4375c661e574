/** What operators paste is looked up in the form that the service keeps. */
import { describe, expect, test } from "vitest";
import { pasted, tidied } from "../../src/service/operations/admin/pasted.ts";

const ORDER = "7K2MA01CD1234XYZ";
const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const ETHEREUM = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const bare = ETHEREUM.slice(2);
const HASH = `0x${"0123456789abcdef".repeat(4)}`;

const kinds: [keyof ReturnType<typeof pasted>, string, Record<string, string>][] = [
  [
    "orders",
    ORDER,
    {
      "as it is": ORDER,
      "small letters": "7k2ma01cd1234xyz",
      "spaces between": "7K2M A01C D123 4XYZ",
      "hyphens between": "7K2M-A01C-D123-4XYZ",
      "O for 0 and I or L for 1": "7K2MAOICDL234XYZ",
      "quotes around it": `"${ORDER}"`,
      "Chinese quotes and a full stop": `“${ORDER}”.`,
      "a word before it": `Order: ${ORDER}`,
      "zero-width characters": `7K2M\u200BA01C\uFEFFD123\u20604XYZ`,
      "full width": "７Ｋ２ＭＡ０１ＣＤ１２３４ＸＹＺ",
      "the address of its bill": `https://shop.example/billDetail/0/${ORDER}?from=mail`,
    },
  ],
  [
    "addresses",
    ETHEREUM,
    {
      "as it is": ETHEREUM,
      "small letters": ETHEREUM.toLowerCase(),
      "large letters": `0X${bare.toUpperCase()}`,
      "no 0x": bare.toLowerCase(),
      "a payment link": `ethereum:${ETHEREUM}@1`,
      "an explorer's page": `https://etherscan.io/address/${ETHEREUM.toLowerCase()}#tokentxns`,
    },
  ],
  [
    "addresses",
    TRON,
    {
      "as it is": TRON,
      "spaces between": "TR7NHqjeKQx GTCi8q8ZY4pL 8otSzgjLj6t",
      "a line's end": `${TRON}\n`,
      "as nodes write it": "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
      "an explorer's page": `https://tronscan.org/#/address/${TRON}`,
    },
  ],
  [
    "transactions",
    HASH,
    {
      "as it is": HASH,
      "no 0x": HASH.slice(2),
      "large letters": HASH.slice(2).toUpperCase(),
      "quotes around it": `'${HASH}'`,
      "Tron's explorer": `https://tronscan.org/#/transaction/${HASH.slice(2)}`,
      "Ethereum's explorer": `https://etherscan.io/tx/${HASH}`,
    },
  ],
  [
    "references",
    "pay_Abc123XyZ",
    {
      "as it is": "pay_Abc123XyZ",
      "spaces around it": "  pay_Abc123XyZ ",
      "a zero-width space": "pay_\u200BAbc123XyZ",
      "the provider's page": "https://dashboard.example/app/payments/pay_Abc123XyZ?tab=1",
    },
  ],
];

describe.each(kinds)("of %s, %s is found", (kind, expected, cases) => {
  test.each(Object.entries(cases))("with %s", (_, text) => {
    expect(pasted(text)[kind]).toContain(expected);
  });
});

test("what has a mistake in it is nothing, and no contract stands for an order", () => {
  const nothing = { orders: [], addresses: [], transactions: [], references: [] };
  for (const text of [
    "",
    "anna",
    ORDER.slice(1),
    `${ORDER}0`,
    // Of mixed case, its checksum is wrong.
    ETHEREUM.replace("dAC", "DAC"),
    TRON.toLowerCase(),
    HASH.slice(0, -1),
  ])
    expect(pasted(text), text).toEqual(nothing);
});

test("a name keeps what belongs to it", () => {
  expect(tidied(" “Anna\u200B Smith” ")).toBe("Anna Smith");
  expect(tidied("ａｎｎａ１")).toBe("anna1");
});
