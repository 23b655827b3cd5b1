/**
 * Signed notes (C2SP signed-note): a text, an empty line, and one line for each signature.
 *
 * INVARIANT: the text of a note counts only after `checkNote` found a signature of a key that the caller knows.
 */
import type { CryptoPort } from '../crypto/port.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { toHex } from '../encoding/hex.js'
import { toUtf8 } from '../encoding/utf8.js'
import { isKeyName, type SigningKey, sameKey, type VerifierKey } from './key.js'

export interface NoteSignature {
  readonly name: string
  /** Id of the key, 8 hexadecimal digits. */
  readonly id: string
  /** What follows the key id: 64 bytes of signature; for a cosignature, 8 bytes of time before them. */
  readonly bytes: Uint8Array
  /** The line as written, without its line feed. */
  readonly line: string
}

export interface SignedNote {
  /** The text up to and including the line feed before the empty line. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** The result of checking the signatures of a note with the keys that a caller knows. */
export interface NoteCheck {
  /** Known keys whose signature verifies, with the time of a cosignature in seconds since 1970. */
  readonly verified: readonly { readonly key: VerifierKey; readonly timestamp: number | null }[]
  /** Known keys whose signature does not verify: the note was altered, or the signature was forged. */
  readonly failed: readonly VerifierKey[]
  /** Signatures of keys that the caller does not know. */
  readonly unknown: readonly NoteSignature[]
}

/** Limits that keep the parsing of a hostile note cheap. */
const NOTE_UNITS_MAX = 1_000_000
const SIGNATURES_MAX = 100

const DASH = '\u2014 '
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/
const TIME_BYTES = 8
const SIGNATURE_BYTES = 64

/** Parses a note, or returns null when the text is not one. */
export function parseNote(note: string): SignedNote | null {
  if (note.length > NOTE_UNITS_MAX || CONTROL.test(note) || !note.endsWith('\n')) return null
  const split = note.lastIndexOf('\n\n')
  if (split < 0) return null
  const lines = note.slice(split + 2, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) return null
  const signatures: NoteSignature[] = []
  for (const line of lines) {
    const signature = parseSignatureLine(line)
    if (signature === null) return null
    signatures.push(signature)
  }
  return { text: note.slice(0, split + 1), signatures }
}

/** Parses a signature line, given without its line feed. Returns null when it does not have the form of one. */
export function parseSignatureLine(line: string): NoteSignature | null {
  if (!line.startsWith(DASH)) return null
  const space = line.lastIndexOf(' ')
  const name = line.slice(DASH.length, space)
  const bytes = fromBase64(line.slice(space + 1))
  if (space < DASH.length || !isKeyName(name) || bytes === null || bytes.length < 5) return null
  return { name, id: toHex(bytes, 0, 4), bytes: bytes.slice(4), line }
}

/**
 * Verifies the signatures of a note. The result separates known keys that verify, known keys that do not, and unknown
 * keys.
 */
export function checkNote(crypto: CryptoPort, note: SignedNote, keys: readonly VerifierKey[]): NoteCheck {
  const verified: { key: VerifierKey; timestamp: number | null }[] = []
  const failed: VerifierKey[] = []
  const unknown: NoteSignature[] = []
  for (const signature of note.signatures) {
    const key = keys.find((known) => sameKey(known, signature))
    if (key === undefined) {
      unknown.push(signature)
      continue
    }
    const timestamp = verifySignature(crypto, note.text, signature, key)
    if (timestamp === false) failed.push(key)
    else if (!verified.some((other) => sameKey(other.key, key))) verified.push({ key, timestamp })
  }
  return { verified, failed, unknown }
}

/**
 * Returns the signature line of a key over a text, with its line feed. A cosignature requires the time, in seconds
 * since 1970.
 */
export function signatureLine(crypto: CryptoPort, text: string, key: SigningKey, timestamp?: number): string {
  if (key.type === 'ed25519') return formatLine(key, crypto.sign(toUtf8(text), key.seed))
  if (timestamp === undefined || !Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new RangeError('a cosignature needs its time in seconds since 1970')
  }
  const bytes = new Uint8Array(TIME_BYTES + SIGNATURE_BYTES)
  for (let at = TIME_BYTES - 1, rest = timestamp; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256
  bytes.set(crypto.sign(toUtf8(cosignedText(text, timestamp)), key.seed), TIME_BYTES)
  return formatLine(key, bytes)
}

/** Returns a note of a text, signed with the given keys. */
export function signNote(crypto: CryptoPort, text: string, keys: readonly SigningKey[]): string {
  return `${text}\n${keys.map((key) => signatureLine(crypto, text, key)).join('')}`
}

/** Returns false when the signature does not verify. Otherwise returns its time, or null when its type has no time. */
function verifySignature(
  crypto: CryptoPort,
  text: string,
  { bytes }: NoteSignature,
  key: VerifierKey,
): number | null | false {
  if (key.type === 'ed25519') return crypto.verify(toUtf8(text), bytes, key.publicKey) ? null : false
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return false
  let timestamp = 0
  for (let at = 0; at < TIME_BYTES; at++) timestamp = timestamp * 256 + (bytes[at] ?? 0)
  if (!Number.isSafeInteger(timestamp)) return false
  const message = toUtf8(cosignedText(text, timestamp))
  return crypto.verify(message, bytes.slice(TIME_BYTES), key.publicKey) ? timestamp : false
}

/** The message that a cosignature signs (C2SP tlog-cosignature, Ed25519). */
function cosignedText(text: string, timestamp: number): string {
  return `cosignature/v1\ntime ${timestamp}\n${text}`
}

function formatLine(key: SigningKey, signature: Uint8Array): string {
  const bytes = new Uint8Array(4 + signature.length)
  for (let at = 0; at < 4; at++) bytes[at] = Number.parseInt(key.id.slice(at * 2, at * 2 + 2), 16)
  bytes.set(signature, 4)
  return `${DASH}${key.name} ${toBase64(bytes)}\n`
}
