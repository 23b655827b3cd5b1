/** Goal: whatever is done to a sealed check log, verification names the first row that is not what was sealed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nobleCrypto } from '../crypto/noble.js'
import { byTime, type CheckLogRow, readSealLine, sealedCheck, sealLine, sealSum } from './seal.js'
import { addClaim, CHECK_LATE_MS, type CheckLogClaims, NO_CLAIMS, verifyCheckLog } from './verify.js'

const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 21, 10)
const iso = (ms: number): string => new Date(ms).toISOString()

const row = (number: number, ms: number, more: object = {}): CheckLogRow => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  createdAt: iso(ms),
  userId: `user-${number % 3}`,
  result: 'pass',
  violations: [],
  ...more,
})

/** Six hours of three checks each. */
const LOG = Array.from({ length: 18 }, (_, at) => row(at + 1, START + Math.floor(at / 3) * HOUR + (at % 3) * 1000))

interface Sealed {
  readonly claims: CheckLogClaims
  readonly manifests: readonly (readonly string[])[]
}

/** As the server seals: an event an hour. */
function seal(rows: readonly CheckLogRow[]): Sealed {
  let claims = NO_CLAIMS
  const manifests: string[][] = []
  const hours = new Map<number, CheckLogRow[]>()
  for (const each of rows) {
    const hour = Math.floor(Date.parse(each.createdAt) / HOUR) * HOUR
    hours.set(hour, [...(hours.get(hour) ?? []), each])
  }
  let seq = 0
  for (const [from, each] of [...hours].sort(([a], [b]) => a - b)) {
    const lines = [...each].sort(byTime).map((one) => sealLine(sealedCheck(nobleCrypto, one)))
    manifests.push(lines)
    const through = iso(from + HOUR)
    const details = { count: lines.length, sha256: sealSum(nobleCrypto, lines), from: iso(from), through }
    const event = { action: 'compliance.checklog.seal', seq: ++seq, createdAt: iso(from + HOUR + 60_000) }
    claims = addClaim(claims, { ...event, details: JSON.stringify(details) })
  }
  return { claims, manifests }
}

const verify = (rows: readonly CheckLogRow[], sealed: Sealed, isChainPruned = false) =>
  verifyCheckLog(nobleCrypto, { ...sealed, rows, isChainPruned })

describe('a check log', () => {
  const sealed = seal(LOG)

  it.each([0, 1])('in which one row comes twice is invalid, whichever of them is the sealed one', (at) => {
    const [first, ...rest] = LOG
    if (first === undefined) throw new Error('it has rows')
    const both = [first, { ...first, result: 'block' as const }]
    if (at === 1) both.reverse()
    expect(verify([...both, ...rest], sealed)).toMatchObject({ verdict: 'invalid' })
  })

  it('is not sealed by events whose details cannot be read', () => {
    const event = { action: 'compliance.checklog.seal', seq: 1, createdAt: iso(START) }
    for (const details of ['x', '[', '1', null]) expect(addClaim(NO_CLAIMS, { ...event, details })).toEqual(NO_CLAIMS)
  })

  it('that is what was sealed is valid, in whatever order its rows come and without its manifests', () => {
    const expected = { verdict: 'valid', findings: [], rows: 18, seals: 6, unsealed: 0 }
    expect(verify(LOG, sealed)).toMatchObject(expected)
    expect(verify([...LOG].reverse(), sealed)).toMatchObject(expected)
    expect(verify(LOG, { ...sealed, manifests: [] })).toMatchObject(expected)
  })

  it('without a seal says nothing', () => {
    expect(verify(LOG, { claims: NO_CLAIMS, manifests: [] })).toMatchObject({ verdict: 'cannot-tell', unsealed: 18 })
  })

  it('law: the first row that was altered, deleted or inserted is named', () => {
    const tampering = fc.record({
      at: fc.nat(LOG.length - 1),
      what: fc.constantFrom('alter', 'delete', 'insert', 'move', 'blame'),
    })
    fc.assert(
      fc.property(fc.array(tampering, { minLength: 1, maxLength: 5 }), (all) => {
        const rows = new Map(LOG.map((each) => [each.id, each]))
        const hit = new Map<string, string>()
        for (const [index, { at, what }] of all.entries()) {
          const target = LOG[at] as CheckLogRow
          if (hit.has(target.id)) continue
          if (what === 'insert') {
            const ms = Date.parse(target.createdAt) + 1
            // What is as late as a check may be can still be sealed.
            if (ms >= START + 6 * HOUR - CHECK_LATE_MS) continue
            const added = row(1000 + index, ms)
            rows.set(added.id, added)
            hit.set(added.id, 'row_inserted')
          } else if (what === 'delete') {
            rows.delete(target.id)
            hit.set(target.id, 'row_missing')
          } else {
            const change = { alter: { result: 'block' }, move: { createdAt: iso(START - 1) }, blame: { userId: 'eve' } }
            rows.set(target.id, { ...target, ...change[what] })
            hit.set(target.id, 'row_altered')
          }
        }
        const sealedAt = (id: string) => (LOG.find((each) => each.id === id) ?? rows.get(id))?.createdAt ?? ''
        const expected = [...hit].map(([id, reason]) => ({ id, reason, createdAt: sealedAt(id) })).sort(byTime)
        const report = verify([...rows.values()], sealed)
        expect(report.verdict).toBe(expected.length === 0 ? 'valid' : 'invalid')
        expect(report.findings.map(({ id, reason, createdAt }) => ({ id, reason, createdAt }))).toEqual(expected)
      }),
    )
  })

  it('a manifest that was changed together with its row is not believed', () => {
    const altered = LOG.map((each, at) => (at === 4 ? { ...each, result: 'block' } : each))
    const { manifests } = seal(altered)
    expect(verify(altered, { claims: sealed.claims, manifests })).toMatchObject({
      verdict: 'invalid',
      findings: [{ reason: 'manifest_altered', id: null, createdAt: iso(START + HOUR), seq: 2 }],
    })
  })

  it('an erased person is not a change, another person is', () => {
    const erased = LOG.map((each, at) => (at === 4 ? { ...each, userId: null } : each))
    expect(verify(erased, sealed)).toMatchObject({ verdict: 'valid', erased: 1, rows: 18 })
  })

  it('what retention has removed is not missed, and only that', () => {
    const through = iso(START + 2 * HOUR + 1000)
    const claims = addClaim(sealed.claims, {
      action: 'compliance.checklog.prune',
      seq: 7,
      createdAt: iso(START + 8 * HOUR),
      details: JSON.stringify({ through }),
    })
    const left = LOG.slice(7)
    const manifests = sealed.manifests.slice(2)
    expect(verify(left, { claims, manifests })).toMatchObject({ verdict: 'valid', pruned: 7, rows: 11 })
    expect(verify(left.slice(1), { claims, manifests })).toMatchObject({
      verdict: 'invalid',
      findings: [{ reason: 'row_missing', id: LOG[7]?.id }],
    })
  })

  it('rows older than a pruned chain are told apart, not accused', () => {
    const claims = { ...sealed.claims, seals: sealed.claims.seals.slice(2) }
    const rest = { claims, manifests: sealed.manifests }
    expect(verify(LOG, rest, true)).toMatchObject({ verdict: 'valid', unattested: 6, rows: 12 })
    expect(verify(LOG, rest, false)).toMatchObject({ verdict: 'invalid', findingsTotal: 6 })
  })

  it('rows that were sealed hours late are counted', () => {
    const [first, ...others] = sealed.claims.seals
    if (first === undefined) throw new Error('no seal')
    const claims = { ...sealed.claims, seals: [{ ...first, sealedAt: iso(START + 9 * HOUR) }, ...others] }
    expect(verify(LOG, { ...sealed, claims })).toMatchObject({ verdict: 'valid', overdue: 3 })
  })

  it('the sum never holds twelve digits in a row, and a line reads back', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 3 }), (lines) => {
        expect(sealSum(nobleCrypto, lines)).not.toMatch(/\d{12}/)
      }),
    )
    const check = sealedCheck(nobleCrypto, LOG[0] as CheckLogRow)
    expect(readSealLine(sealLine(check))).toEqual(check)
    expect(readSealLine('anything else')).toBeNull()
  })
})
