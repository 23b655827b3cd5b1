/**
 * Goal: what the audit log says of a check log counts only as far as a signed checkpoint covers it. Behind the newest
 * checkpoint anybody can append a seal of checks that they invented, or a retention that explains what they deleted.
 */
import { CHECK_PRUNE_ACTION, CHECK_SEAL_ACTION, sealedCheck, sealLine, sealSum } from '@plumbline/audit-chain'
import { expect, it } from 'vitest'
import { crypto } from '../../audit-chain/test/support/fixture.js'
import { runCli } from './support/memory-io.js'
import { type Claim, partlyCovered, VERIFIER_KEY } from './support/partly-covered.js'
import { workspace } from './support/workspace.js'

const ORG = 'acme'
const HOUR = { from: '2026-01-31T07:00:00.000Z', through: '2026-01-31T08:00:00.000Z' }

const checks = [1, 2].map((number) => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  createdAt: `2026-01-31T07:00:0${number}.000Z`,
  userId: 'usr_1',
  result: 'pass',
}))
const lines = checks.map((check) => sealLine(sealedCheck(crypto, check)))
const sealOf: Claim = {
  action: CHECK_SEAL_ACTION,
  details: { count: lines.length, sha256: sealSum(crypto, lines), ...HOUR },
}
const prune: Claim = { action: CHECK_PRUNE_ACTION, details: { through: HOUR.through } }
const altered = checks.map((check, index) => (index === 0 ? { ...check, result: 'block' } : check))

async function verify(covered: number, rows: readonly object[], claims: readonly Claim[] = [sealOf]) {
  const sealed = { seal: { manifest: lines.map((line) => `${line}\n`).join('') } }
  const entries = [{ plumblineCheckLog: 1, orgId: ORG }, sealed, ...rows.map((check) => ({ check }))]
  const space = workspace({
    'checks.jsonl': entries.map((entry) => JSON.stringify(entry)).join('\n'),
    'audit.jsonl': partlyCovered(ORG, covered, claims),
    key: VERIFIER_KEY,
  })
  const argv = ['audit', 'verify', 'audit.jsonl', '--check-log', 'checks.jsonl', '--key', 'key', '--json']
  const { code, stdout, stderr } = await runCli(argv, { cwd: space.root })
  expect(stderr).toBe('')
  const { verdict, coveredThrough, checkLog } = JSON.parse(stdout)
  expect([verdict, coveredThrough]).toEqual(['valid', covered])
  return { code, ...checkLog }
}

it('is valid when a covered seal has its sum', async () => {
  expect(await verify(2, checks)).toMatchObject({ code: 0, verdict: 'valid', seals: 1, unsealed: 0, findings: [] })
})

it('is contradicted by a covered seal of other checks', async () => {
  expect(await verify(2, altered)).toMatchObject({
    code: 1,
    verdict: 'invalid',
    seals: 1,
    findings: [{ reason: 'row_altered', id: checks[0]?.id, seq: 2 }],
  })
})

it('is not proved by a seal behind the newest checkpoint', async () => {
  expect(await verify(1, checks)).toMatchObject({ code: 3, verdict: 'cannot-tell', seals: 0, unsealed: 2 })
})

it('is not contradicted by a seal behind the newest checkpoint', async () => {
  expect(await verify(1, altered)).toMatchObject({ code: 3, verdict: 'cannot-tell', seals: 0, findings: [] })
})

it('may lack what retention removed only as far as a covered event says so', async () => {
  expect(await verify(3, [], [sealOf, prune])).toMatchObject({ code: 0, verdict: 'valid', pruned: 2, findings: [] })
  expect(await verify(2, [], [sealOf, prune])).toMatchObject({
    code: 1,
    verdict: 'invalid',
    pruned: 0,
    findings: checks.map(({ id }) => ({ reason: 'row_missing', id })),
  })
})
