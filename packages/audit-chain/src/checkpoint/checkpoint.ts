/**
 * Checkpoints (C2SP tlog-checkpoint): what a log commits itself to, as the text of a signed note. Ours carries one
 * extension line, `head <hash>`, the hash of the newest event (spec billing-audit 21).
 */
import type { CryptoPort } from '../crypto/port.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { fromHex, isHash, toHex } from '../encoding/hex.js'
import type { SigningKey } from './key.js'
import { parseNote, type SignedNote, signNote } from './note.js'

export interface Checkpoint {
  /** Which log: the deployment's origin, a slash and the chain. */
  readonly origin: string
  /** Leaves of the tree: the sequence number of the newest event. */
  readonly size: number
  /** Root of the tree, hexadecimal. */
  readonly root: string
  /** Hash of the newest event, when the log states it. */
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
 * Origin line of a chain. Characters that would make two chains share an origin, or that a note cannot hold, are
 * percent-encoded in the chain's name.
 */
export function chainOrigin(deployment: string, chain: string): string {
  return `${deployment}/${chain.replace(NOT_IN_ORIGIN, (character) => encodeURIComponent(character))}`
}

/** True when the origin line belongs to the chain, whatever the deployment. */
export function isOriginOf(origin: string, chain: string): boolean {
  return origin.endsWith(chainOrigin('', chain))
}

/**
 * The text that is signed, each line with its line feed. Throws `TypeError` for a root that is not a hash and an origin
 * that is not one line.
 */
export function formatCheckpoint({ origin, size, root, head }: Checkpoint): string {
  const rootBytes = fromHex(root)
  if (rootBytes === null || !isHash(root)) throw new TypeError('`root` must be a hash')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
  if (origin === '' || /[\u0000-\u001f]/.test(origin)) throw new TypeError('`origin` must be one line, and not empty')
  return `${origin}\n${size}\n${toBase64(rootBytes)}\n${head === null ? '' : `${HEAD}${head}\n`}`
}

/** The checkpoint as a signed note, with one signature for each key. */
export function signCheckpoint(crypto: CryptoPort, checkpoint: Checkpoint, keys: readonly SigningKey[]): string {
  return signNote(crypto, formatCheckpoint(checkpoint), keys)
}

/** The checkpoint in a signed note, or null when it is none. Signatures are not checked here: see `checkNote`. */
export function parseCheckpoint(text: string): ParsedCheckpoint | null {
  const note = parseNote(text)
  const body = note === null ? null : parseCheckpointText(note.text)
  return note === null || body === null ? null : { ...body, note }
}

export function parseCheckpointText(text: string): Checkpoint | null {
  const lines = text.split('\n')
  const [origin = '', size = '', root = '', ...rest] = lines
  // Every line, the last one too, ends in a newline, and none is empty.
  if (lines.length < 4 || rest.at(-1) !== '' || lines.slice(0, -1).includes('')) return null
  const rootBytes = fromBase64(root)
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size)) || rootBytes?.length !== 32) return null
  const extension = rest.slice(0, -1).find((line) => line.startsWith(HEAD))
  const head = extension === undefined ? null : extension.slice(HEAD.length)
  if (head !== null && !isHash(head)) return null
  return { origin, size: Number(size), root: toHex(rootBytes), head }
}

/** A non-negative decimal number as checkpoints, proofs and witness requests write it, or null. */
export function parseSize(text: string): number | null {
  return SIZE.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}
