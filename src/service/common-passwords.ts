/** The passwords of eight characters and more that lists of leaked ones begin with, in lower case: some 18,000, where ASVS (6.2.4) asks for 3,000. */
import { dictionary } from "@zxcvbn-ts/language-common";

const LEAST = 8;

/** What people in China choose, and what is spelled with signs, is missing from the list. */
const more = `
01234567 0123456789 0987654321 987654321 9876543210 87654321 12341234 123123123 zaq1zaq1 p@ssword loveyou123
abcdefgh aa12345678 admin1234 guest123 root1234 user1234 woaini1314 woaini520 woaini521 woaiwojia 5201314520
52013140 13145200 1314520520 wang1234 li123456 zhang123 wodemima mima1234 5845201314 asdasdasd qweqweqwe
w123456789 x12345678 linkedin rockyou1
`;

export const commonPasswords: ReadonlySet<string> = new Set(
  [...dictionary["passwords-common"], ...more.trim().split(/\s+/)]
    .filter((password) => password.length >= LEAST)
    .map((password) => password.toLowerCase()),
);
