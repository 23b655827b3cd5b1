/**
 * The log's side of C2SP tlog-witness: sends a checkpoint with the proof from the size that the witness last cosigned,
 * and stores the cosignature with the checkpoint if it verifies. A witness that has cosigned another history raises an
 * alarm and is not retried.
 */
import {
  checkNote,
  consistencyRanges,
  formatWitnessRequest,
  parseCheckpoint,
  parseSignatureLine,
  type VerifierKey,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { prove, type Read } from '../chain/proofs.js'

export interface WitnessAsk {
  readonly url: string
  readonly key: VerifierKey
  readonly chain: string
  readonly note: string
  /** The size that the witness last reported, 0 at first. */
  readonly oldSize: number
  readonly read: Read
  readonly signal: AbortSignal
  readonly fetch?: typeof globalThis.fetch
}

/** The witness contradicts the log: a fork, or a log that lost events. */
export class WitnessConflict extends Error {}

const TIMEOUT_MS = 15_000
/** The witness may cosign another checkpoint between two requests; a few rounds are enough. */
const ROUNDS = 3
const ANSWER_CHARS_MAX = 20_000

/** @returns the note with the cosignature. */
export async function askWitness(ask: WitnessAsk): Promise<string> {
  const checkpoint = parseCheckpoint(ask.note)
  if (checkpoint === null) throw new Error('the checkpoint cannot be read')
  let { oldSize } = ask
  for (let round = 0; round < ROUNDS; round++) {
    if (oldSize > checkpoint.size) {
      throw new WitnessConflict(`the witness has cosigned size ${oldSize}, the log has ${checkpoint.size}`)
    }
    const proof = await prove(ask.read, ask.chain, consistencyRanges(oldSize, checkpoint.size))
    if (proof === null) throw new Error(`the witness has seen the log up to event ${oldSize}, which was pruned here`)
    const { status, body } = await post(ask, formatWitnessRequest({ oldSize, proof, checkpoint: ask.note }))
    if (status === 200) return accept(ask.note, body, ask.key)
    const size = status === 409 && /^\d{1,16}\n$/.test(body) ? Number(body) : null
    if (size === null && status === 422) {
      throw new WitnessConflict('the witness refuses the consistency proof: it has cosigned another history')
    }
    if (size === null) throw new Error(`the witness refused with ${status}`)
    if (size === oldSize) throw new WitnessConflict(`the witness has cosigned another log of size ${size}`)
    oldSize = size
  }
  throw new Error('the witness reported another log size on each try')
}

async function post(ask: WitnessAsk, body: string): Promise<{ status: number; body: string }> {
  const send = ask.fetch ?? fetch
  const response = await send(`${ask.url.replace(/\/$/, '')}/add-checkpoint`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    signal: AbortSignal.any([ask.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    redirect: 'error',
  })
  return { status: response.status, body: (await response.text()).slice(0, ANSWER_CHARS_MAX) }
}

/** Adds only the witness's own line, and only if it verifies. */
function accept(note: string, body: string, key: VerifierKey): string {
  for (const line of body.split('\n')) {
    const signature = parseSignatureLine(line)
    if (signature === null || signature.name !== key.name || signature.id !== key.id) continue
    const cosigned = `${note}${line}\n`
    const parsed = parseCheckpoint(cosigned)
    if (parsed !== null && checkNote(nodeCrypto, parsed.note, [key]).verified.length > 0) return cosigned
  }
  throw new Error('the answer holds no valid cosignature of AUDIT_WITNESS_KEY')
}
