/**
 * The proof of one event as a file (C2SP tlog-proof): index, audit path, and the checkpoint that the path leads to. A
 * verifier needs only the record, this file and the log's public key.
 */
import type { CryptoPort } from '../crypto/port.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { fromHex, toHex } from '../encoding/hex.js'
import { verifyInclusion } from '../tree/verify-proof.js'
import { type ParsedCheckpoint, parseCheckpoint, parseSize } from './checkpoint.js'

const HEADER = 'c2sp.org/tlog-proof@v1'
/** The longest path, which is that of a tree of 2^53 leaves. */
const PATH_MAX = 63

export interface TlogProof {
  /** Zero-based: the sequence number minus one. */
  readonly index: number
  /** The audit path in hexadecimal, from the leaf's sibling upwards. */
  readonly path: readonly string[]
  /** The signed note, byte for byte. */
  readonly checkpoint: string
}

/** Returns the text of the proof. The checkpoint must be a signed note. The hashes of the path are not checked. */
export function formatTlogProof({ index, path, checkpoint }: TlogProof): string {
  const lines = path.map((hash) => `${toBase64(fromHex(hash) ?? new Uint8Array(0))}\n`)
  return `${HEADER}\nindex ${index}\n${lines.join('')}\n${checkpoint}`
}

/** Parses a proof, or returns null when the text is not one. Extra data is skipped, because nothing authenticates it. */
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

/** Returns the part of the text where the checkpoint should be, or null. The part before it is not checked. */
export function noteOfTlogProof(text: string): string | null {
  const split = text.indexOf('\n\n')
  return split < 0 ? null : text.slice(split + 2)
}

/**
 * Checks that the proof leads from the event's hash to its checkpoint. The caller must check the checkpoint's
 * signatures.
 */
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
