/**
 * Keys of signed notes in their usual text forms: a verifier key `name+id+base64(type || public key)` and a signing key
 * `PRIVATE+KEY+name+id+base64(type || seed)`. Source: C2SP signed-note and tlog-cosignature.
 * INVARIANT: a parsed key has the id that its name and bytes give; a text whose id does not match is refused.
 */
import type { CryptoPort } from '../crypto/port.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { toHex } from '../encoding/hex.js'
import { toUtf8 } from '../encoding/utf8.js'

/** What a key signs: whole notes, or checkpoints together with a time (cosignatures of witnesses). */
export type KeyType = 'ed25519' | 'cosignature'

/** The name of the keys that sign checkpoints of an audit log (spec billing-audit 21). */
export const AUDIT_KEY_NAME = 'plumbline-audit'

export interface VerifierKey {
  readonly name: string
  /** 8 hexadecimal digits. Name and id together identify the signatures of this key. */
  readonly id: string
  readonly type: KeyType
  readonly publicKey: Uint8Array
}

export interface SigningKey extends VerifierKey {
  /** 32 secret bytes. */
  readonly seed: Uint8Array
}

const TYPE_BYTE: Readonly<Record<KeyType, number>> = { ed25519: 0x01, cosignature: 0x04 }
const PRIVATE_PREFIX = 'PRIVATE+KEY+'
const KEY_BYTES = 32
/** White space (Unicode) and `+` may not occur in a name. Control characters may not occur in a note. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const NOT_IN_NAME = /[\s+\u0000-\u001f\u0085]/

export function isKeyName(name: string): boolean {
  return name.length > 0 && !NOT_IN_NAME.test(name)
}

/**
 * Returns the key with its id.
 *
 * @throws {TypeError} for a name that is empty or contains white space or `+`, and for a key that is not 32 bytes.
 */
export function createVerifierKey(
  crypto: CryptoPort,
  name: string,
  publicKey: Uint8Array,
  type: KeyType = 'ed25519',
): VerifierKey {
  if (!isKeyName(name)) throw new TypeError('a key name must not be empty nor contain spaces or `+`')
  if (publicKey.length !== KEY_BYTES) throw new TypeError('an Ed25519 public key has 32 bytes')
  return { name, id: keyId(crypto, name, type, publicKey), type, publicKey }
}

/** Returns the signing key of a seed of 32 random bytes. */
export function createSigningKey(
  crypto: CryptoPort,
  name: string,
  seed: Uint8Array,
  type: KeyType = 'ed25519',
): SigningKey {
  if (seed.length !== KEY_BYTES) throw new TypeError('an Ed25519 seed has 32 bytes')
  return { ...createVerifierKey(crypto, name, crypto.publicKey(seed), type), seed }
}

/** Returns the text form, `name+id+base64`. It is public, and `parseVerifierKey` reads it back. */
export function formatVerifierKey(key: VerifierKey): string {
  return `${key.name}+${key.id}+${toBase64(typed(key.type, key.publicKey))}`
}

/** Returns the text form, `PRIVATE+KEY+name+id+base64`. It contains the seed, so it is a secret. */
export function formatSigningKey(key: SigningKey): string {
  return `${PRIVATE_PREFIX}${key.name}+${key.id}+${toBase64(typed(key.type, key.seed))}`
}

/** Parses a verifier key. Returns null for a wrong form, an unknown type, or an id that does not match. */
export function parseVerifierKey(crypto: CryptoPort, text: string): VerifierKey | null {
  const parts = parse(text)
  if (parts === null) return null
  const key = createVerifierKey(crypto, parts.name, parts.bytes, parts.type)
  return key.id === parts.id ? key : null
}

/** Parses a signing key. Returns null for a wrong form, an unknown type, or an id that does not match. */
export function parseSigningKey(crypto: CryptoPort, text: string): SigningKey | null {
  if (!text.startsWith(PRIVATE_PREFIX)) return null
  const parts = parse(text.slice(PRIVATE_PREFIX.length))
  if (parts === null) return null
  const key = createSigningKey(crypto, parts.name, parts.bytes, parts.type)
  return key.id === parts.id ? key : null
}

export function sameKey(a: { name: string; id: string }, b: { name: string; id: string }): boolean {
  return a.name === b.name && a.id === b.id
}

/** The first four bytes of SHA-256(name || newline || type || public key), in hexadecimal. */
function keyId(crypto: CryptoPort, name: string, type: KeyType, publicKey: Uint8Array): string {
  const nameBytes = toUtf8(name)
  const input = new Uint8Array(nameBytes.length + 2 + publicKey.length)
  input.set(nameBytes)
  input[nameBytes.length] = 0x0a
  input[nameBytes.length + 1] = TYPE_BYTE[type]
  input.set(publicKey, nameBytes.length + 2)
  const hash = new Uint8Array(32)
  crypto.sha256(input, hash, 0)
  return toHex(hash, 0, 4)
}

function typed(type: KeyType, bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(1 + bytes.length)
  all[0] = TYPE_BYTE[type]
  all.set(bytes, 1)
  return all
}

function parse(text: string): { name: string; id: string; type: KeyType; bytes: Uint8Array } | null {
  const first = text.indexOf('+')
  const second = text.indexOf('+', first + 1)
  if (first < 1 || second < 0) return null
  const name = text.slice(0, first)
  const bytes = fromBase64(text.slice(second + 1))
  if (!isKeyName(name) || bytes === null || bytes.length !== 1 + KEY_BYTES) return null
  const type = bytes[0] === TYPE_BYTE.ed25519 ? 'ed25519' : bytes[0] === TYPE_BYTE.cosignature ? 'cosignature' : null
  return type === null ? null : { name, id: text.slice(first + 1, second), type, bytes: bytes.slice(1) }
}
