/** Which passwords are refused because they are guessed first. */
import { expect, test } from "vitest";
import { brands } from "../../src/app/theme/brand.ts";
import { isWellKnown } from "../../src/service/accounts/common-passwords.ts";
import { checkPassword } from "../../src/service/accounts/passwords.ts";

const isRefused = (password: string) => {
  try {
    checkPassword(password, "member", "password");
    return false;
  } catch {
    return true;
  }
};

test.each([
  // From the beginning of the lists that it is made of, and what people in China choose.
  ..."password 12345678 iloveyou sunshine1 trustno1 88888888 1q2w3e4r5t bigpimpin1 winniethepooh woaini1314".split(
    " ",
  ),
  ..."newaccount princesita 69696969 1234512345 beatrice1 p@$$w0rd !@#$%^&*".split(" "),
])("%s is well known, whatever its letter case, width and outer spaces", (password) => {
  const wide = password.replaceAll(/[!-~]/g, (sign) =>
    String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0),
  );
  for (const each of [password, password.toUpperCase(), wide, `　${password} `]) {
    expect([each, isRefused(each)]).toEqual([each, true]);
  }
});

test("the product's own names are, alone and with anything but letters around them", () => {
  for (const { name, team } of Object.values(brands)) {
    for (const password of [team, `${name}1234`, `2026${name}!`, `${name} ${name}`, `${name}_VPN_888`]) {
      const long = password.padEnd(8, "0");
      expect([long, isRefused(long)]).toEqual([long, true]);
    }
  }
  for (const password of ["everlit", "EVERLIT123".toLowerCase(), "changming2026", "長明團隊"]) {
    expect([password, isWellKnown(password)]).toEqual([password, true]);
  }
});

test.each([
  "everlit is my way home",
  "长明灯下读书到天亮",
  "correct horse battery",
  "neverlit",
  "每天都要好好学习",
])("%s may be chosen", (password) => expect(isRefused(password)).toBe(false));
