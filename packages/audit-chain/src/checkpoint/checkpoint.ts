/**
 * Checkpoints (C2SP tlog-checkpoint): the state of a log that its operator signs, as the text of a signed note. Ours
 * have one extension line, `head <hash>`, with the hash of the newest event (spec billing-audit 21).
 */
import type { CryptoPort } from '../crypto/port.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { fromHex, isHash, toHex } from '../encoding/hex.js'
import type { SigningKey } from './key.js'
import { parseNote, type SignedNote, signNote } from './note.js'

export interface Checkpoint {
  /** Identifies the log: the deployment's origin, a slash and the chain. */
  readonly origin: string
  /** The number of leaves of the tree, which is the sequence number of the newest event. */
  readonly size: number
  /** The root of the tree, in hexadecimal. */
  readonly root: string
  /** The hash of the newest event; null when the checkpoint has no `head` line. */
  readonly head: string | null
}

export interface ParsedCheckpoint extends Checkpoint {
  readonly note: SignedNote
}

const HEAD = 'head '
const SIZE = /^(0|[1-9][0-9]{0,15})$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it encodes
const NOT_IN_ORIGIN = /[\u0000-\u0020%+/\u0085\s]/g

/**
 * Returns the origin line of a chain. In the chain's name, characters that a note cannot contain, or that would give
 * two chains one origin, are percent-encoded.
 */
export function chainOrigin(deployment: string, chain: string): string {
  return `${deployment}/${chain.replace(NOT_IN_ORIGIN, (character) => encodeURIComponent(character))}`
}

/** True when the origin line belongs to the chain, in any deployment. */
export function isOriginOf(origin: string, chain: string): boolean {
  return origin.endsWith(chainOrigin('', chain))
}

/**
 * Returns the text to sign; every line ends in a line feed.
 *
 * @throws {TypeError} for a root that is not a hash, and for an origin that is not one line.
 */
export function formatCheckpoint({ origin, size, root, head }: Checkpoint): string {
  const rootBytes = fromHex(root)
  if (rootBytes === null || !isHash(root)) throw new TypeError('`root` must be a hash')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
  if (origin === '' || /[\u0000-\u001f]/.test(origin)) throw new TypeError('`origin` must be one line, and not empty')
  return `${origin}\n${size}\n${toBase64(rootBytes)}\n${head === null ? '' : `${HEAD}${head}\n`}`
}

/** Returns the checkpoint as a signed note, with one signature for each key. */
export function signCheckpoint(crypto: CryptoPort, checkpoint: Checkpoint, keys: readonly SigningKey[]): string {
  return signNote(crypto, formatCheckpoint(checkpoint), keys)
}

/**
 * Parses the checkpoint in a signed note. Returns null when the text is not one. It does not verify signatures: see
 * `checkNote`.
 */
export function parseCheckpoint(text: string): ParsedCheckpoint | null {
  const note = parseNote(text)
  const body = note === null ? null : parseCheckpointText(note.text)
  return note === null || body === null ? null : { ...body, note }
}

export function parseCheckpointText(text: string): Checkpoint | null {
  const lines = text.split('\n')
  const [origin = '', size = '', root = '', ...rest] = lines
  // Every line ends in a line feed, including the last one, and no line is empty.
  if (lines.length < 4 || rest.at(-1) !== '' || lines.slice(0, -1).includes('')) return null
  const rootBytes = fromBase64(root)
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size)) || rootBytes?.length !== 32) return null
  const extension = rest.slice(0, -1).find((line) => line.startsWith(HEAD))
  const head = extension === undefined ? null : extension.slice(HEAD.length)
  if (head !== null && !isHash(head)) return null
  return { origin, size: Number(size), root: toHex(rootBytes), head }
}

/** Parses a non-negative decimal number as checkpoints, proofs and witness requests write it, or returns null. */
export function parseSize(text: string): number | null {
  return SIZE.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}
