/**
 * The keys of signed tokens: the first signs, and all verify, each found by its `kid`. The key ring decides the
 * algorithm, never the token. Source: spec platform 4.1.
 */
import { createPrivateKey, createPublicKey, type JsonWebKey, type webcrypto } from 'node:crypto'
import type { RingKey } from '../../runtime/setting/types.js'

type CryptoKey = webcrypto.CryptoKey

export type JwtAlgorithm = 'HS256' | 'EdDSA'

interface KeyPair {
  readonly signing: Promise<CryptoKey>
  readonly verifying: Promise<CryptoKey>
  /** The public half; null for a shared secret. */
  readonly jwk: JsonWebKey | null
}

export interface KeyRing {
  readonly alg: JwtAlgorithm
  readonly signing: { readonly kid: string; readonly key: Promise<CryptoKey> }
  /** The key of this id, or null. */
  verifying(kid: string): Promise<CryptoKey> | null
  /** The public keys; empty for shared secrets. */
  readonly jwks: readonly PublicJwk[]
}

export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

export function createKeyRing(alg: JwtAlgorithm, keys: readonly RingKey[]): KeyRing {
  const pairs = new Map(keys.map(({ id, key }) => [id, alg === 'HS256' ? secretPair(key) : ed25519Pair(id, key)]))
  const [first] = keys
  const signing = first && pairs.get(first.id)
  if (first === undefined || signing === undefined) throw new Error('JWT_KEYS is empty')
  return {
    alg,
    signing: { kid: first.id, key: signing.signing },
    verifying: (kid) => pairs.get(kid)?.verifying ?? null,
    jwks: [...pairs].flatMap(([kid, { jwk }]) =>
      jwk === null ? [] : [{ kty: 'OKP', crv: 'Ed25519', x: jwk.x ?? '', kid, alg: 'EdDSA', use: 'sig' } as const],
    ),
  }
}

/** Imported as a CryptoKey, because verifying takes half the time of a raw key. */
function secretPair(secret: Uint8Array): KeyPair {
  const key = globalThis.crypto.subtle.importKey(
    'raw',
    Uint8Array.from(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  )
  return { signing: key, verifying: key, jwk: null }
}

/** The DER of a PKCS #8 Ed25519 key up to its seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

function ed25519Pair(kid: string, seed: Uint8Array): KeyPair {
  if (seed.length !== 32) {
    throw new Error(`the key ${kid} of JWT_KEYS has ${seed.length} bytes: JWT_ALG=EdDSA needs seeds of exactly 32`)
  }
  const pkcs8 = Buffer.concat([PKCS8_PREFIX, seed])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const { subtle } = globalThis.crypto
  return {
    signing: subtle.importKey('pkcs8', Uint8Array.from(pkcs8), { name: 'Ed25519' }, false, ['sign']),
    verifying: subtle.importKey('spki', Uint8Array.from(spki), { name: 'Ed25519' }, false, ['verify']),
    jwk: publicKey.export({ format: 'jwk' }),
  }
}
