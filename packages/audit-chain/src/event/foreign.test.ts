/** Goal: a copy may lack the identities of foreign actors, by its own word, and nothing else for that reason. */
import { describe, expect, it } from 'vitest'
import { judgeWithheld } from '../../proof/withheld.js'
import { checkpointOf, crypto, logKey, makeLog } from '../../test/support/fixture.js'
import { BundleVerifier } from '../bundle/bundle-verifier.js'
import { verifyLog } from '../verify/log-verifier.js'
import { isForeign, withholdForeign } from './foreign.js'
import { identityHash } from './hashes.js'

const { rows, chain } = makeLog(40)

describe('a foreign actor', () => {
  const own = { orgId: 'acme', actorRole: 'admin', impersonatorId: null }
  it.each([
    ['of the organization itself', own, false],
    ['of another organization', { ...own, orgId: 'other' }, true],
    ['of none', { ...own, orgId: null }, true],
    ['who is a system administrator', { ...own, actorRole: 'superadmin' }, true],
    ['who acts under another’s name', { ...own, impersonatorId: 'usr_root' }, true],
  ])('is one %s: %#', (_, event, expected) => {
    expect(isForeign(event, 'acme')).toBe(expected)
  })
})

describe('a copy without foreign identities', () => {
  it('keeps the commitment, and neither values nor salt from which they could be guessed', () => {
    const row = rows.find((each) => isForeign(each, chain))
    if (row === undefined) throw new Error('the log must have foreign actors')
    const copy = withholdForeign(row)
    expect(copy).toEqual({ ...row, actorEmail: null, ip: null, userAgent: null, identitySalt: null })
    expect(copy.identityHash).toBe(identityHash(crypto, row.identitySalt ?? '', row))
    const own = rows.find((each) => !isForeign(each, chain))
    expect(own && withholdForeign(own)).toBe(own)
  })

  it('verifies, says how many it lacks, and that this is a limit', () => {
    const copy = rows.map(withholdForeign)
    const options = { checkpoints: [checkpointOf(rows, chain)], keys: [logKey] }
    const count = rows.filter((row) => isForeign(row, chain)).length
    const report = verifyLog(crypto, copy, { ...options, foreignWithheld: true })
    expect(report).toMatchObject({ verdict: 'valid', withheld: count, erased: 0 })
    expect(report.doubts.map(({ code }) => code)).toContain('withheld')
    const whole = verifyLog(crypto, rows, { ...options, foreignWithheld: true })
    expect(whole).toMatchObject({ verdict: 'valid', withheld: 0 })
    expect(whole.doubts.map(({ code }) => code)).not.toContain('withheld')
  })

  it('is not what a stored log may be', () => {
    expect(verifyLog(crypto, rows.map(withholdForeign), {}).reason).toBe('unexplained_erasure')
  })

  it('withholds nothing that the format does not name', () => {
    const verifier = new BundleVerifier(crypto)
    verifier.pushLine('{"plumblineAuditBundle":1,"withheld":"details"}')
    expect(verifier.finish().cannotTell).toBe('not_a_log')
  })

  it('hides no change of any field of any record', () => {
    for (let seed = 1; seed <= 12; seed++) expect(judgeWithheld(seed)).toBeNull()
  })
})
