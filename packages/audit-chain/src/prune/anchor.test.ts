import { describe, expect, it } from 'vitest'
import { checkpointOf, crypto, logKey, makeLog, ORIGIN, otherKey } from '../../test/support/fixture.js'
import { verifyLog } from '../verify/log-verifier.js'
import { type PruneInput, planPrune, type SignedAnchor, signAnchor } from './anchor.js'

const { rows, chain } = makeLog(40)
const checkpoint = checkpointOf(rows, chain)
const plan = (changes: Partial<PruneInput> = {}) =>
  planPrune(crypto, {
    origin: ORIGIN,
    chain,
    previous: null,
    rows,
    before: rows[20]?.createdAt ?? '',
    checkpointSize: 40,
    prunedAt: '2026-03-01T00:00:00.000Z',
    ...changes,
  })
const anchor = signAnchor(crypto, plan() ?? fail(), [logKey])
const verify = (from: number, used: SignedAnchor | null, keys = [logKey]) =>
  verifyLog(crypto, rows.slice(from), { anchor: used, checkpoints: [checkpoint], keys, chain })

function fail(): never {
  throw new Error('something must be prunable')
}

describe('pruning', () => {
  it('takes the contiguous old prefix, never past the newest checkpoint', () => {
    expect(plan()?.throughSeq).toBe(20)
    expect(plan({ checkpointSize: 12 })?.throughSeq).toBe(12)
    expect(plan({ checkpointSize: 0 })).toBeNull()
    expect(plan({ before: '2000-01-01T00:00:00.000Z' })).toBeNull()
    expect(() => plan({ rows: rows.slice(1) })).toThrow(/must be 1, not 2/)
  })

  it('goes on from the last anchor to the same frontier', () => {
    const first = plan({ checkpointSize: 7 })
    const second = plan({ previous: first, rows: rows.slice(7) })
    expect(second).toEqual(plan())
  })

  it('leaves a log that verifies to its full checkpoint', () => {
    expect(verify(20, anchor)).toMatchObject({
      verdict: 'valid',
      firstSeq: 21,
      coveredThrough: 40,
      anchor: { throughSeq: 20, signed: true },
    })
  })

  it('is found out when the log itself did not do it', () => {
    expect(verify(20, null)).toMatchObject({ verdict: 'invalid', reason: 'anchor_mismatch', brokenSeq: 21 })
    expect(verify(21, anchor)).toMatchObject({ reason: 'anchor_mismatch', brokenSeq: 22 })
    expect(verify(20, { ...anchor, signature: signAnchor(crypto, anchor, [otherKey]).signature })).toMatchObject({
      verdict: 'cannot-tell',
      cannotTell: 'unknown_key',
    })
    expect(verify(20, { ...anchor, prunedAt: '2026-03-02T00:00:00.000Z' })).toMatchObject({
      verdict: 'invalid',
      reason: 'anchor_mismatch',
    })
    const nodes = [...anchor.frontier.nodes].reverse()
    expect(verify(20, signAnchor(crypto, { ...anchor, frontier: { size: 20, nodes } }, [logKey]))).toMatchObject({
      reason: 'checkpoint_mismatch',
    })
    expect(verify(20, { ...anchor, frontier: { size: 20, nodes: [] } })).toMatchObject({ reason: 'anchor_mismatch' })
  })

  it('checks a checkpoint kept at the very size that was pruned, and says when it cannot', () => {
    const at = (size: number) =>
      verifyLog(crypto, rows.slice(20), {
        anchor,
        checkpoints: [checkpointOf(rows.slice(0, size), chain)],
        keys: [logKey],
      })
    expect(at(20)).toMatchObject({ verdict: 'valid', coveredThrough: 20 })
    expect(at(10)).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'checkpoint_out_of_range' })
  })
})
