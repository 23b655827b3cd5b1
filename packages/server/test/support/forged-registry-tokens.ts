/** Tokens that a registry must not take, each made from a good one and different in one thing. */
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { newSigningKey } from '../../src/registry/certificate.js'

type Fields = Record<string, unknown>

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = ''): Fields => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

function signed(header: Fields, claims: Fields, key: KeyObject): string {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** @param good a token that the registry takes, and that grants something. */
export function forgedRegistryTokens(good: string): Record<string, string> {
  const [head = '', body = '', signature = ''] = good.split('.')
  const [header, claims] = [decode(head), decode(body)]
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const stranger = newSigningKey('Plumbline registry tokens', Date.now())
  const [certificate = ''] = header['x5c'] as string[]
  const trusted = new X509Certificate(Buffer.from(certificate, 'base64')).publicKey
  const jwk = publicKey.export({ format: 'jwk' })
  const hmac = (key: Buffer | string) => {
    const text = `${encode({ ...header, alg: 'HS256' })}.${body}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const { access } = claims as { access: { type: string; name: string; actions: string[] }[] }
  const more = access.map((each) => ({ ...each, actions: ['pull', 'push', 'delete', '*'] }))
  return {
    'the key of a stranger': signed(header, claims, privateKey),
    'a certificate of a stranger': signed(
      { ...header, x5c: [stranger.certificate.toString('base64')] },
      claims,
      stranger.key,
    ),
    'a certificate of a stranger before the real one': signed(
      { ...header, x5c: [stranger.certificate.toString('base64'), certificate] },
      claims,
      stranger.key,
    ),
    'the real certificate before one of a stranger': signed(
      { ...header, x5c: [certificate, stranger.certificate.toString('base64')] },
      claims,
      stranger.key,
    ),
    'its own key': signed({ alg: 'ES256', typ: 'JWT', jwk }, claims, privateKey),
    'a key id of a stranger': signed({ alg: 'ES256', typ: 'JWT', kid: keyId(publicKey) }, claims, privateKey),
    'the key id of the real key': signed({ alg: 'ES256', typ: 'JWT', kid: keyId(trusted) }, claims, privateKey),
    'no certificate': signed({ alg: 'ES256', typ: 'JWT' }, claims, privateKey),
    'no algorithm': `${encode({ ...header, alg: 'none' })}.${body}.`,
    'no algorithm with a signature': `${encode({ ...header, alg: 'none' })}.${body}.${signature}`,
    'the certificate as a secret': hmac(Buffer.from(certificate, 'base64')),
    'the public key as a secret': hmac(trusted.export({ type: 'spki', format: 'pem' })),
    'an empty secret': hmac(''),
    'more actions': `${head}.${encode({ ...claims, access: more })}.${signature}`,
    'a later end': `${head}.${encode({ ...claims, exp: Number(claims['exp']) + 86_400 })}.${signature}`,
    'a header that was changed': `${encode({ ...header, typ: 'jwt' })}.${body}.${signature}`,
    'a bit flipped': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'a signature that is cut': `${head}.${body}.${signature.slice(0, -4)}`,
    'no signature': `${head}.${body}.`,
    'two parts': `${head}.${body}`,
    'no JWT': 'x.y.z',
    nothing: '',
  }
}

/** The identifier of a key as libtrust makes it, by which registries of version 2 look for keys. */
function keyId(key: KeyObject): string {
  const digest = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 30)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const text = (bits.match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]).join('')
  return (text.match(/.{4}/g) ?? []).join(':')
}
