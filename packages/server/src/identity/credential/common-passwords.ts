/**
 * Passwords that attackers try first, in lower case: well-known words with their usual endings. The list needs only
 * those that the other rules of the policy would accept.
 */
const WORDS = `
password passw0rd p@ssw0rd p@ssword qwerty qwertyuiop asdfgh asdfghjkl zxcvbnm letmein welcome admin administrator
login abc abcd abcdef monkey dragon football baseball basketball soccer hockey iloveyou sunshine princess master
shadow superman batman trustno michael jordan jennifer hunter ashley charlie daniel thomas jessica andrew joshua
matthew summer winter spring autumn january february march april june july august september october november december
monday friday company changeme secret default test testing guest user root temp temppass newpass mypassword hello
freedom whatever computer internet google facebook linkedin samsung apple pokemon starwars killer pepper ginger cookie
chocolate banana cheese flower lovely purple orange yellow silver golden diamond london paris berlin america liverpool
arsenal chelsea barcelona madrid manchester
`
const ENDINGS = `
1 12 123 1234 12345 123456 1234567 12345678 123456789 0 01 007 00 11 22 69 77 88 99 111 222 321 2020 2021 2022 2023
2024 2025 2026 1! 12! 123! 1234! !1 @1 @123 #1
`
const OTHERS = `
123456789a 12345678a 123456a 1234qwer 123qwe 123qweasd 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 a123456
a12345678 a123456789 a1b2c3d4 aa123456 aa12345678 abc123456 asdf1234 p4ssw0rd p@ssw0rd pa55w0rd pa55word passw0rd
passw0rd1 q1w2e3r4 q1w2e3r4t5 qazwsx123 qwe123 qwer1234 trustno1 welcome1 zaq12wsx zaq1xsw2
`

const list = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...list(WORDS).flatMap((word) => list(ENDINGS).map((ending) => word + ending)),
  ...list(OTHERS),
])
