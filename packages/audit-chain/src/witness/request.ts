/** The body of an `add-checkpoint` request (C2SP tlog-witness): old size, consistency proof, empty line, checkpoint. */
import { parseSize } from '../checkpoint/checkpoint.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { fromHex, toHex } from '../encoding/hex.js'

export interface WitnessRequest {
  /** The size of the checkpoint that the witness cosigned last; 0 for none. */
  readonly oldSize: number
  /** Consistency proof, hexadecimal. */
  readonly proof: readonly string[]
  /** The signed note, byte for byte. */
  readonly checkpoint: string
}

const PROOF_MAX = 63

/** Returns the text of the request. The hashes of the proof are not checked. */
export function formatWitnessRequest({ oldSize, proof, checkpoint }: WitnessRequest): string {
  const lines = proof.map((hash) => `${toBase64(fromHex(hash) ?? new Uint8Array(0))}\n`)
  return `old ${oldSize}\n${lines.join('')}\n${checkpoint}`
}

/** Parses the body of a request. Returns null when it is not one. */
export function parseWitnessRequest(body: string): WitnessRequest | null {
  const split = body.indexOf('\n\n')
  if (split < 0) return null
  const [first = '', ...lines] = body.slice(0, split).split('\n')
  const oldSize = first.startsWith('old ') ? parseSize(first.slice('old '.length)) : null
  if (oldSize === null || lines.length > PROOF_MAX) return null
  const proof: string[] = []
  for (const line of lines) {
    const bytes = fromBase64(line)
    if (bytes?.length !== 32) return null
    proof.push(toHex(bytes))
  }
  return { oldSize, proof, checkpoint: body.slice(split + 2) }
}
