import { describe, expect, it } from 'vitest'
import {
  checkpointOf,
  crypto,
  eventAt,
  logKey,
  makeLog,
  makeLogWithErasures,
  ORIGIN,
  otherKey,
  Random,
  sealAll,
  witnessKey,
} from '../../test/support/fixture.js'
import { parseCheckpoint } from '../checkpoint/checkpoint.js'
import { signatureLine } from '../checkpoint/note.js'
import { eraseRecord } from '../event/erase.js'
import type { AuditRecord } from '../event/record.js'
import { type VerifyOptions, verifyLog } from './log-verifier.js'

const { rows, chain } = makeLog(50)
const full = checkpointOf(rows, chain)
const at20 = checkpointOf(rows.slice(0, 20), chain)
const keys = [logKey]
const verify = (log: readonly unknown[], options: VerifyOptions = {}) => verifyLog(crypto, log, options)
const headOf = (log: readonly AuditRecord[]) => ({ seq: log.length, hash: log.at(-1)?.hash ?? '' })

describe('the verdict table', () => {
  it('calls an honest log with a kept checkpoint of its full size valid', () => {
    const report = verify(rows, { checkpoints: [full], keys })
    expect(report).toMatchObject({
      verdict: 'valid',
      ok: true,
      count: 50,
      firstSeq: 1,
      lastSeq: 50,
      coveredThrough: 50,
    })
    expect(report.checkpoint).toEqual({ size: 50, verified: true })
    expect(report.reason).toBeUndefined()
  })

  it('never calls zero rows valid', () => {
    expect(verify([])).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'nothing_to_check', ok: true, count: 0 })
    expect(verify([], { checkpoints: [full], keys })).toMatchObject({
      verdict: 'invalid',
      reason: 'truncated',
      brokenSeq: 1,
    })
    expect(verify([], { head: { seq: 3, hash: rows[2]?.hash ?? '' } })).toMatchObject({
      reason: 'truncated',
      brokenSeq: 1,
    })
    expect(verify([], { checkpoints: [checkpointOf([], chain)], keys }).verdict).toBe('cannot-tell')
  })

  it('cannot tell without head and checkpoint', () => {
    expect(verify(rows)).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'no_checkpoint', coveredThrough: 0 })
    expect(verify(rows.slice(0, 30))).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'no_checkpoint' })
  })

  it('cannot tell with an unreadable checkpoint', () => {
    expect(verify(rows, { checkpoints: ['no note'], keys })).toMatchObject({
      verdict: 'cannot-tell',
      cannotTell: 'missing_checkpoint',
    })
  })

  it('cannot tell with a checkpoint that no known key signed', () => {
    expect(verify(rows, { checkpoints: [full] })).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'unknown_key' })
    expect(verify(rows, { checkpoints: [full], keys: [otherKey] }).cannotTell).toBe('unknown_key')
  })

  it('does not take a key that came with the log for a known one', () => {
    const offered = { offeredCheckpoints: [full], offeredKeys: keys }
    expect(verify(rows, offered)).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'unknown_key' })
    expect(verify(rows.slice(0, 49), offered)).toMatchObject({ verdict: 'invalid', reason: 'truncated', brokenSeq: 50 })
  })

  it('names the rows behind the newest checkpoint as chained only', () => {
    const report = verify(rows, { checkpoints: [at20], keys })
    expect(report).toMatchObject({ verdict: 'valid', coveredThrough: 20, lastSeq: 50 })
    expect(report.doubts.map(({ code }) => code)).toContain('uncovered-tail')
  })

  it('takes a trusted head without a checkpoint, and an offered one not', () => {
    expect(verify(rows, { head: headOf(rows) })).toMatchObject({ verdict: 'valid', coveredThrough: 0 })
    expect(verify(rows, { head: { ...headOf(rows), offered: true } }).cannotTell).toBe('no_checkpoint')
  })

  it('puts a failed check before everything else', () => {
    const broken = rows.map((row) => (row.seq === 7 ? { ...row, actorId: 'mallory' } : row))
    expect(verify(broken)).toMatchObject({
      verdict: 'invalid',
      ok: false,
      reason: 'hash_mismatch',
      brokenSeq: 7,
      brokenAt: rows[6]?.id,
      count: 50,
    })
  })
})

describe('what each attack is called', () => {
  it('calls a missing prefix anchor_mismatch', () => {
    expect(verify(rows.slice(3), { checkpoints: [full], keys })).toMatchObject({
      reason: 'anchor_mismatch',
      brokenSeq: 4,
      brokenAt: null,
    })
  })

  it('calls a missing row sequence_gap at its successor', () => {
    const gap = rows.filter(({ seq }) => seq !== 9)
    expect(verify(gap)).toMatchObject({
      reason: 'sequence_gap',
      brokenSeq: 10,
      brokenAt: null,
      evidence: { expected: 9, actual: 10 },
    })
  })

  it('finds a changed number at its place', () => {
    const renumbered = rows.map((row) => (row.seq === 9 ? { ...row, seq: 4000 } : row))
    expect(verify(renumbered)).toMatchObject({ reason: 'sequence_gap', brokenSeq: 9, brokenAt: rows[8]?.id })
  })

  it('tells a lone surrogate from the replacement character that it would hash like', () => {
    const event = { ...eventAt(1, new Random(4), chain), details: null, actorRole: 'a\ufffd', actorEmail: 'b\ufffd' }
    const [row] = sealAll([event], new Random(4))
    expect(verify([row]).reason).toBeUndefined()
    expect(verify([{ ...row, actorRole: 'a\ud800' }])).toMatchObject({ reason: 'hash_mismatch', brokenSeq: 1 })
    expect(verify([{ ...row, actorEmail: 'b\udfff' }])).toMatchObject({ reason: 'hash_mismatch', brokenSeq: 1 })
  })

  it('finds rows of two chains', () => {
    const mixed = [...rows.slice(0, 10), ...makeLog(50, 2, 'other').rows.slice(10)]
    expect(verify(mixed)).toMatchObject({ reason: 'chain_mismatch', brokenSeq: 11 })
  })

  it('refuses another chain under the name of the expected one', () => {
    const other = makeLog(50, 2, 'other').rows
    expect(verify(other, { chain })).toMatchObject({ reason: 'chain_mismatch', brokenSeq: 1 })
    expect(verify(other, { checkpoints: [checkpointOf(other, chain)], keys })).toMatchObject({
      reason: 'checkpoint_mismatch',
    })
  })

  it('finds a recomputed suffix by the root alone, with both roots as evidence', () => {
    const random = new Random(5)
    const forged = [
      ...rows.slice(0, 20),
      ...sealAll(
        Array.from({ length: 30 }, (_, i) => eventAt(21 + i, random, chain)),
        random,
        rows[19] ?? null,
      ),
    ]
    const report = verify(forged, { checkpoints: [full], keys })
    expect(report).toMatchObject({ verdict: 'invalid', reason: 'checkpoint_mismatch', brokenSeq: null, brokenAt: null })
    expect(report.evidence).toMatchObject({ what: 'root at size 50', expected: parseCheckpoint(full)?.root })
    expect(report.evidence?.actual).not.toBe(report.evidence?.expected)
    expect(verify(forged, { checkpoints: [at20], keys })).toMatchObject({ verdict: 'valid', coveredThrough: 20 })
  })

  it('refuses a checkpoint whose signature was tampered with', () => {
    const forged = full.replace(/\n50\n/, '\n49\n')
    expect(verify(rows, { checkpoints: [forged], keys })).toMatchObject({
      verdict: 'invalid',
      reason: 'checkpoint_mismatch',
    })
  })

  it('refuses a checkpoint of another deployment', () => {
    expect(verify(rows, { checkpoints: [full], keys, origin: ORIGIN }).verdict).toBe('valid')
    expect(verify(rows, { checkpoints: [full], keys, origin: 'elsewhere.example' }).reason).toBe('checkpoint_mismatch')
  })

  it('refuses a row created before its predecessor, even with the right hashes', () => {
    const random = new Random(6)
    const early = { ...eventAt(21, random, chain), createdAt: '2020-01-01T00:00:00.000Z' }
    const previous = { ...(rows[19] as AuditRecord), createdAt: '2019-01-01T00:00:00.000Z' }
    expect(verify([...rows.slice(0, 20), ...sealAll([early], random, previous)])).toMatchObject({
      reason: 'backdated',
      brokenSeq: 21,
    })
  })

  it('reports rows older than the witness that had not seen them', () => {
    const body = parseCheckpoint(at20)?.note.text ?? ''
    const cosign = (time: string) => at20 + signatureLine(crypto, body, witnessKey, Date.parse(time) / 1000)
    const options = (note: string) => ({ checkpoints: [note], keys: [logKey, witnessKey] })
    expect(verify(rows, options(cosign('2026-02-01T00:00:00Z')))).toMatchObject({
      verdict: 'valid',
      backdated: { count: 30, firstSeq: 21 },
    })
    expect(verify(rows, options(cosign('2026-01-31T08:00:30Z'))).backdated).toBeNull()
  })

  it('compares the head with the last row', () => {
    expect(verify(rows.slice(0, 40), { head: headOf(rows) })).toMatchObject({ reason: 'truncated', brokenSeq: 41 })
    expect(verify(rows, { head: { seq: 50, hash: rows[3]?.hash ?? '' } })).toMatchObject({
      reason: 'head_mismatch',
      brokenSeq: 50,
    })
    expect(verify(rows, { head: headOf(rows.slice(0, 40)) })).toMatchObject({ reason: 'head_mismatch', brokenSeq: 41 })
  })

  it('refuses rows that are not records', () => {
    for (const row of [
      null,
      7,
      'x',
      [],
      { ...rows[4], extra: 1 },
      { ...rows[4], v: 2 },
      { ...rows[4], createdAt: 'yesterday' },
    ]) {
      expect(verify([...rows.slice(0, 4), row])).toMatchObject({ reason: 'malformed_row', brokenSeq: 5 })
    }
  })
})

describe('erasure', () => {
  const log = makeLogWithErasures(60)
  const checkpoint = checkpointOf(log.rows, chain)

  it('keeps a log valid when events explain it, and counts it', () => {
    const report = verify(log.rows, { checkpoints: [checkpoint], keys })
    expect(report.verdict).toBe('valid')
    expect(report.erased).toBeGreaterThan(3)
    expect(report.erased).toBe(
      log.rows.filter((row) => row.identitySalt === null || (row.detailsHash !== null && row.details === null)).length,
    )
  })

  it('is invalid without an explanation, at the first erased row, for either half', () => {
    for (const part of ['identity', 'details'] as const) {
      const seq = rows.find((row) => row.seq > 5 && row.details !== null)?.seq
      const erased = rows.map((row) => (row.seq === seq ? eraseRecord(row, part) : row))
      expect(verify(erased, { checkpoints: [full], keys })).toMatchObject({
        reason: 'unexplained_erasure',
        brokenSeq: seq,
        erased: 0,
      })
    }
  })

  it('cannot tell when the explanation lies behind the newest checkpoint, where anybody can append one', () => {
    const last = Math.max(...log.rows.filter(({ action }) => action === 'audit.event.erase').map(({ seq }) => seq))
    const behind = checkpointOf(log.rows.slice(0, last - 1), chain)
    expect(verify(log.rows, { checkpoints: [behind], keys })).toMatchObject({
      verdict: 'cannot-tell',
      cannotTell: 'erasure_outside_range',
    })
    const covering = checkpointOf(log.rows.slice(0, last), chain)
    expect(verify(log.rows, { checkpoints: [covering], keys }).verdict).toBe('valid')
  })

  it('cannot tell when the explanation may lie behind the exported range', () => {
    const erased = rows.slice(10, 30).map((row) => (row.seq === 15 ? eraseRecord(row, 'identity') : row))
    const range = { from: 11, to: 30 }
    expect(verify(erased, { range })).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'erasure_outside_range' })
  })

  it('does not take half an erasure', () => {
    const half = rows.map((row) => (row.seq === 8 ? { ...row, actorEmail: null, ip: null, userAgent: null } : row))
    expect(verify(half)).toMatchObject({ reason: 'hash_mismatch', brokenSeq: 8 })
    const salt = rows.map((row) => (row.seq === 8 ? { ...row, identitySalt: null } : row))
    expect(verify(salt)).toMatchObject({ reason: 'hash_mismatch', brokenSeq: 8 })
  })

  it('does not let an event explain erasures that come after it', () => {
    const [first, ...rest] = makeLogWithErasures(60).rows
    const last = rest.at(-1) as AuditRecord
    const later = eraseRecord(last, 'identity')
    expect(verify([first, ...rest.slice(0, -1), later])).toMatchObject({
      reason: 'unexplained_erasure',
      brokenSeq: last.seq,
    })
  })
})
