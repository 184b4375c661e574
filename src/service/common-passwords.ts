/** The passwords of eight characters and more that lists of leaked ones begin with, in lower case. Small on purpose: the limit on attempts does the rest. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
12345678 123456789 1234567890 01234567 0123456789 0987654321 987654321 9876543210 87654321 12341234
123123123 123321123 1234qwer 12344321 11223344 1122334455 112233445566 147258369 741852963 789456123
456789123 159753456 123654789 12345679 123456780 12345678910 1234567891 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
1qazxsw2 2wsx3edc zaq12wsx zaq1zaq1 q1w2e3r4 q1w2e3r4t5 qwer1234 qwerty12 qwerty123 qwerty1234
qwertyui qwertyuiop qwertyuiop123 asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123 password password1
password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa55word password! mypassword changeme
letmein1 letmein123 welcome1 welcome123 iloveyou iloveyou1 iloveyou2 ilovegod lovelove loveyou123
princess princess1 sunshine sunshine1 football football1 baseball baseball1 basketball superman superman1
batman123 spiderman pokemon1 starwars trustno1 whatever computer internet michael1 michelle jennifer
jessica1 jonathan alexander charlie1 danielle elizabeth victoria samantha veronica christian
abcd1234 abc12345 abc123456 abcdefgh abcdefg1 a1234567 a12345678 a123456789 aa123456 aa12345678
abc123abc admin123 admin1234 administrator test1234 testtest guest123 root1234 user1234 default1
woaini1314 woaini520 woaini521 woaiwojia 5201314520 52013140 13145200 1314520520 qq123456 wang1234
li123456 zhang123 wodemima mima1234 nihao123 5845201314 asd123456 asdasdasd qweasdzxc qwe123456 qweqweqwe
q1234567 q12345678 q123456789 z123456789 w123456789 x12345678 liverpool chelsea1 arsenal1 dragon123
monkey123 master123 shadow123 killer123 freedom1 secret123 samsung1 google123 facebook linkedin
corvette mercedes ferrari1 mustang1 blink182 rockyou1 access14 maverick garfield butterfly chocolate
`
    .trim()
    .split(/\s+/),
);
