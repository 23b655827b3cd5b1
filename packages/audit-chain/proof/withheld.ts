/**
 * Copies of a log without the identities of foreign actors: an honest one verifies and says how many it lacks, and the
 * permission to leave those out lets nothing else pass.
 */
import {
  type AuditRecord,
  BundleVerifier,
  canonicalText,
  eraseRecord,
  FOREIGN_IDENTITIES,
  formatManifest,
  isForeign,
  type JsonValue,
  RECORD_FIELDS,
  type VerifyReport,
  withholdForeign,
} from '../src/index.js'
import { checkpointOf, crypto, logKey, makeLog, ORIGIN, Random } from '../test/support/fixture.js'

const CHAIN = 'acme'

type Copy = readonly (AuditRecord | Record<string, JsonValue>)[]

function verifyCopy(rows: Copy, note: string, isDeclared: boolean, { seq, hash }: AuditRecord): VerifyReport {
  const verifier = new BundleVerifier(crypto, { keys: [logKey] })
  verifier.pushLine(
    formatManifest({
      plumblineAuditBundle: 1,
      origin: ORIGIN,
      chain: CHAIN,
      from: 1,
      to: seq,
      complete: true,
      head: { seq, hash },
      anchor: null,
      checkpoints: [note],
      proofs: [],
      keys: [],
      createdAt: '2026-02-01T00:00:00.000Z',
      ...(isDeclared ? { withheld: FOREIGN_IDENTITIES } : {}),
    }),
  )
  for (const row of rows) verifier.pushLine(canonicalText({ ...row }))
  return verifier.finish()
}

/** What is wrong, or null. */
export function judgeWithheld(seed: number): string | null {
  const random = new Random(seed)
  const { rows } = makeLog(4 + random.int(20), seed, CHAIN)
  const note = checkpointOf(rows, CHAIN)
  const copy = rows.map(withholdForeign)
  const last = rows.at(-1) as AuditRecord
  const verify = (changed: Copy, isDeclared = true) => verifyCopy(changed, note, isDeclared, last)
  const foreign = rows.filter((row) => isForeign(row, CHAIN)).length
  const wrong = (what: string, report: VerifyReport) =>
    `withheld copy ${seed}: ${what}; answered ${report.verdict} ${report.reason ?? ''} at ${report.brokenSeq}, ${report.withheld} withheld`

  const honest = verify(copy)
  if (honest.verdict !== 'valid' || honest.withheld !== foreign || honest.erased !== 0)
    return wrong(`expected valid with ${foreign} withheld`, honest)
  const undeclared = verify(copy, false)
  if (foreign > 0 && undeclared.reason !== 'unexplained_erasure')
    return wrong('expected nothing withheld without a word', undeclared)

  const at = random.int(copy.length)
  for (const field of Object.keys(RECORD_FIELDS) as (keyof AuditRecord)[]) {
    const row = copy[at] as AuditRecord
    for (const value of [null, 'x', 7, '', `${row[field]} `, random.hash().slice(0, 32), rows[at]?.[field]]) {
      if (value === row[field]) continue
      const report = verify(copy.with(at, { ...row, [field]: value } as AuditRecord))
      if (report.verdict !== 'invalid') return wrong(`expected ${field} of event ${at + 1} to be noticed`, report)
    }
  }
  const own = rows.findIndex((row) => !isForeign(row, CHAIN))
  if (own < 0) return null
  const stolen = verify(copy.with(own, eraseRecord(rows[own] as AuditRecord, 'identity')))
  if (stolen.reason !== 'unexplained_erasure' || stolen.brokenSeq !== own + 1)
    return wrong(`expected the identity of event ${own + 1} to be missed`, stolen)
  return null
}
