/** Tokens and answers of a dishonest provider. None of them may be accepted. */
import type { Asked } from './oidc.js'

export type Forged = readonly [name: string, say: (asked: Asked) => Promise<string | Response>]

/** Wrong for every person. */
export const FORGED_TOKENS: readonly Forged[] = [
  ['a signature of a stranger', ({ sign, stranger }) => sign({}, { key: stranger })],
  ['a signature of a stranger under another name', ({ sign, stranger }) => sign({}, { key: stranger, kid: 'k9' })],
  ['a signature that is cut', async ({ sign }) => (await sign({})).slice(0, -8)],
  ['no signature', async ({ sign }) => `${(await sign({})).split('.').slice(0, 2).join('.')}.`],
  ['the algorithm none', async ({ sign }) => withHeader(await sign({}), { alg: 'none' }, '')],
  ['another algorithm', async ({ sign }) => withHeader(await sign({}), { alg: 'RS512', kid: 'k1' })],
  ['an HMAC', async ({ sign }) => withHeader(await sign({}), { alg: 'HS256', kid: 'k1' })],
  ['changed claims', async ({ sign }) => withClaims(await sign({}), { sub: 'admin' })],
  ['no JWT', async () => 'x.y.z'],
  ['an empty ID token', async () => ''],
  ['another issuer', ({ sign }) => sign({ iss: 'https://login.other.test' })],
  ['no issuer', ({ sign }) => sign({ iss: undefined })],
  ['another audience', ({ sign }) => sign({ aud: 'other' })],
  ['no audience', ({ sign }) => sign({ aud: undefined })],
  ['several audiences without azp', ({ sign }) => sign({ aud: ['plumbline', 'other'] })],
  ['several audiences and a foreign azp', ({ sign }) => sign({ aud: ['plumbline', 'other'], azp: 'other' })],
  ['a foreign azp', ({ sign }) => sign({ azp: 'other' })],
  ['an end in the past', ({ sign, nowS }) => sign({ exp: nowS - 120, iat: nowS - 200 })],
  ['no end', ({ sign }) => sign({ exp: undefined })],
  ['an end that is a text', ({ sign, nowS }) => sign({ exp: String(nowS + 300) as never })],
  ['a beginning in the future', ({ sign, nowS }) => sign({ nbf: nowS + 600 })],
  ['another nonce', ({ sign }) => sign({ nonce: 'n' })],
  ['no nonce', ({ sign }) => sign({ nonce: undefined })],
  ['an issue in the future', ({ sign, nowS }) => sign({ iat: nowS + 90 })],
  ['an issue 11 minutes ago', ({ sign, nowS }) => sign({ iat: nowS - 660 })],
  ['no time of issue', ({ sign }) => sign({ iat: undefined })],
  ['no subject', ({ sign }) => sign({ sub: undefined })],
  ['an empty subject', ({ sign }) => sign({ sub: '' })],
  ['a blank subject', ({ sign }) => sign({ sub: '  ' })],
  ['a subject of 256 characters', ({ sign }) => sign({ sub: 'x'.repeat(256) })],
  ['a subject that is a number', ({ sign }) => sign({ sub: 7 as never })],
  ['no ID token', async () => Response.json({ access_token: 'a', token_type: 'Bearer' })],
  ['an error', async () => Response.json({ error: 'invalid_grant' }, { status: 400 })],
  ['an error with a script', async () => Response.json({ error: '<script>' }, { status: 400 })],
  ['a text', async () => new Response('hello')],
  ['HTML', async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['no token type', async ({ sign }) => Response.json({ access_token: 'a', id_token: await sign({}) })],
  [
    'a key of its own in the header',
    async ({ sign, stranger, strangerKey }) => sign({}, { key: stranger, header: { jwk: strangerKey } }),
  ],
  [
    'the address of its own keys',
    async ({ sign, stranger, issuer }) => sign({}, { key: stranger, header: { jku: `${issuer}/stranger` } }),
  ],
  ['an extension that must be understood', ({ sign }) => sign({}, { header: { crit: ['b64'], b64: true } })],
  ['an issuer with a slash more', ({ sign, issuer }) => sign({ iss: `${issuer}/` })],
  ['an issuer that is a list', ({ sign, issuer }) => sign({ iss: [issuer] as never })],
  ['no audience in a list', ({ sign }) => sign({ aud: [] })],
  ['an audience that is an object', ({ sign }) => sign({ aud: { plumbline: true } as never })],
  ['a nonce that is a list', ({ sign, nonce }) => sign({ nonce: [nonce] })],
  ['an issue that is a text', ({ sign, nowS }) => sign({ iat: String(nowS) as never })],
  ['an issue in milliseconds', ({ sign, nowS }) => sign({ iat: nowS * 1000 })],
  ['a subject that is a list', ({ sign }) => sign({ sub: ['eve'] as never })],
  [
    'an ID token that is a list',
    async ({ sign }) => Response.json({ access_token: 'a', token_type: 'Bearer', id_token: [await sign({})] }),
  ],
  [
    'an answer that is a list',
    async ({ sign }) => Response.json([{ access_token: 'a', token_type: 'Bearer', id_token: await sign({}) }]),
  ],
  ['a token of another sign-in', async ({ sign, nonce }) => sign({ nonce: nonce.split('').reverse().join('') })],
]

/** Correctly signed, but the address proves nothing, so it admits nobody who had no account before. */
export const FORGED_ADDRESSES: readonly Forged[] = [
  ['email_verified false', ({ sign }) => sign({ email_verified: false })],
  ['email_verified as a text', ({ sign }) => sign({ email_verified: 'true' })],
  ['email_verified as a number', ({ sign }) => sign({ email_verified: 1 })],
  ['no email_verified', ({ sign }) => sign({ email_verified: undefined })],
  ['no address', ({ sign }) => sign({ email: undefined })],
  ['an address that is a list', ({ sign }) => sign({ email: ['eve@evil.test'] })],
  ['an address of a domain that is not proved', ({ sign }) => sign({ email: 'ann@acme.test' })],
  ['an address with two of them', ({ sign }) => sign({ email: 'eve@evil.test,ann@acme.test' })],
  ['an address with a break', ({ sign }) => sign({ email: 'eve\r\n@evil.test' })],
]

function withHeader(token: string, header: object, signature?: string): string {
  const [, payload, own] = token.split('.')
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature ?? own].join('.')
}

function withClaims(token: string, claims: object): string {
  const [header, payload = '', signature] = token.split('.')
  const all = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims }
  return [header, Buffer.from(JSON.stringify(all)).toString('base64url'), signature].join('.')
}
