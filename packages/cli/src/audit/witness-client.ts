/**
 * The log's side of C2SP tlog-witness: sends the checkpoint, with a consistency proof from the size that the witness
 * holds.
 */
import {
  type AuditRecord,
  type BundleManifest,
  checkNote,
  consistencyRanges,
  EMPTY_FRONTIER,
  formatWitnessRequest,
  parseCheckpoint,
  parseSignatureLine,
  StreamProver,
  type VerifierKey,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { UsageError } from '../command.js'

const TIMEOUT_MS = 15_000
/** The witness's size may change between two requests; a few rounds settle it. */
const ROUNDS = 5

/** The note with the witness's cosignature. */
export async function requestCosignature(
  url: string,
  manifest: BundleManifest,
  rows: readonly AuditRecord[],
  note: string,
  witness: VerifierKey,
): Promise<string> {
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === null) throw new UsageError('the checkpoint cannot be read')
  let oldSize = 0
  for (let round = 0; round < ROUNDS; round++) {
    const prover = new StreamProver(
      nodeCrypto,
      consistencyRanges(oldSize, checkpoint.size),
      manifest.anchor?.frontier ?? EMPTY_FRONTIER,
    )
    for (const row of rows) if (row.seq <= checkpoint.size) prover.push(row.hash)
    const proof = prover.proof()
    if (proof === null)
      throw new UsageError(`the witness has seen the log up to event ${oldSize}, which was pruned here`)
    const { status, body } = await post(url, formatWitnessRequest({ oldSize, proof, checkpoint: note }))
    if (status === 200) return accept(note, body, witness)
    const size = status === 409 && /^\d{1,16}\n$/.test(body) ? Number(body) : null
    if (size === null) throw new UsageError(`the witness refused with ${status}: ${body.trim().slice(0, 200)}`)
    if (size === checkpoint.size && oldSize === size) {
      throw new UsageError(`the witness has cosigned another log at size ${size}: one of the two is a fork`)
    }
    if (size > checkpoint.size)
      throw new UsageError(`the witness has cosigned a later checkpoint, at size ${size}: this log was cut`)
    oldSize = size
  }
  throw new UsageError('the witness reported another log size on each try')
}

async function post(url: string, body: string): Promise<{ status: number; body: string }> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/add-checkpoint`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    return { status: response.status, body: await response.text() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new UsageError(`the witness cannot be reached (${cause instanceof Error ? cause.message : String(cause)})`)
  }
}

/** Takes only the line of this witness from the answer, and only if it verifies. */
function accept(note: string, body: string, witness: VerifierKey): string {
  for (const line of body.split('\n')) {
    const signature = parseSignatureLine(line)
    if (signature === null || signature.name !== witness.name || signature.id !== witness.id) continue
    const cosigned = `${note}${line}\n`
    const parsed = parseCheckpoint(cosigned)
    if (parsed !== null && checkNote(nodeCrypto, parsed.note, [witness]).verified.length > 0) return cosigned
  }
  throw new UsageError('the answer holds no valid cosignature of the witness whose key you gave')
}
