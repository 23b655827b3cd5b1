/**
 * One event's proof as a file of its own (C2SP tlog-proof): index, audit path and the checkpoint that it leads to.
 * A person who has the record, this file and the log's public key needs nothing else.
 */
import type { CryptoPort } from '../crypto/port.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { fromHex, toHex } from '../encoding/hex.js'
import { verifyInclusion } from '../tree/verify-proof.js'
import { type ParsedCheckpoint, parseCheckpoint, parseSize } from './checkpoint.js'

const HEADER = 'c2sp.org/tlog-proof@v1'
/** A tree of 2^53 leaves has no longer path. */
const PATH_MAX = 63

export interface TlogProof {
  /** Zero-based: sequence number minus one. */
  readonly index: number
  /** Audit path, hexadecimal, from the leaf's sibling up. */
  readonly path: readonly string[]
  /** The signed note, byte for byte. */
  readonly checkpoint: string
}

/**
 * The text of the proof; the checkpoint is its signed note. Hashes of the path are taken as they are, and not checked.
 */
export function formatTlogProof({ index, path, checkpoint }: TlogProof): string {
  const lines = path.map((hash) => `${toBase64(fromHex(hash) ?? new Uint8Array(0))}\n`)
  return `${HEADER}\nindex ${index}\n${lines.join('')}\n${checkpoint}`
}

/** The proof, or null when the text is none. Extra data, which nothing authenticates, is skipped. */
export function parseTlogProof(text: string): TlogProof | null {
  const split = text.indexOf('\n\n')
  if (split < 0) return null
  const [header, ...lines] = text.slice(0, split).split('\n')
  if (lines[0]?.startsWith('extra ')) lines.shift()
  const indexLine = lines.shift() ?? ''
  const index = indexLine.startsWith('index ') ? parseSize(indexLine.slice('index '.length)) : null
  if (header !== HEADER || index === null || lines.length > PATH_MAX) return null
  const path: string[] = []
  for (const line of lines) {
    const bytes = fromBase64(line)
    if (bytes?.length !== 32) return null
    path.push(toHex(bytes))
  }
  return { index, path, checkpoint: text.slice(split + 2) }
}

/** The part of the text that should be the checkpoint, or null; the part before it may be anything. */
export function noteOfTlogProof(text: string): string | null {
  const split = text.indexOf('\n\n')
  return split < 0 ? null : text.slice(split + 2)
}

/** Whether the proof leads from the event's hash to its checkpoint. The checkpoint's signatures are the caller's. */
export function checkTlogProof(
  crypto: CryptoPort,
  proof: TlogProof,
  eventHash: string,
): { readonly checkpoint: ParsedCheckpoint | null; readonly included: boolean } {
  const checkpoint = parseCheckpoint(proof.checkpoint)
  if (checkpoint === null) return { checkpoint, included: false }
  const { size, root } = checkpoint
  return {
    checkpoint,
    included: verifyInclusion(crypto, { eventHash, index: proof.index, size, root, proof: proof.path }),
  }
}
