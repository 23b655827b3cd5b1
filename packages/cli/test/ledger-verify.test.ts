/**
 * Goal: a seal of the audit log speaks for a ledger only as far as a signed checkpoint covers it. Behind the newest
 * checkpoint anybody can append a seal of rows that they invented.
 */
import { LEDGER_SEAL_ACTION, ledgerHash, ledgerSealHash } from '@plumbline/audit-chain'
import { expect, it } from 'vitest'
import { crypto } from '../../audit-chain/test/support/fixture.js'
import { runCli } from './support/memory-io.js'
import { partlyCovered, VERIFIER_KEY } from './support/partly-covered.js'
import { workspace } from './support/workspace.js'

const ORG = 'acme'
const SUBSCRIPTION = 'sub_1'

const facts = {
  id: 'led_1',
  orgId: ORG,
  subscriptionId: SUBSCRIPTION,
  seq: 1,
  type: 'grant',
  sourceId: 'promotion',
  cents: 5000,
  dedupeKey: 'promotion 1',
  grantedAt: '2026-01-31T08:00:00.000Z',
  details: null,
}
const hash = ledgerHash(crypto, '', facts)
const columns = { actorId: null, remainingCents: 5000, reversedCents: 0, state: 'pending', fulfillmentRef: null }
const ledger = [
  { plumblineLedger: 1, orgId: ORG, rows: 1 },
  { ...facts, ...columns, hash },
]
  .map((line) => JSON.stringify(line))
  .join('\n')

/** A log of two events, the second a seal of the ledger. A checkpoint covers the first events. */
const auditLog = (covered: number, details: Readonly<Record<string, unknown>>): string =>
  partlyCovered(ORG, covered, [{ action: LEDGER_SEAL_ACTION, targetId: SUBSCRIPTION, details }])

const sealed = { firstSeq: 1, lastSeq: 1, balanceCents: 5000, hash: ledgerSealHash(hash) }

async function verify(covered: number, details: Readonly<Record<string, unknown>> = sealed) {
  const space = workspace({
    'ledger.jsonl': ledger,
    'audit.jsonl': auditLog(covered, details),
    key: VERIFIER_KEY,
  })
  const files = ['ledger.jsonl', '--audit', 'audit.jsonl', '--key', 'key']
  const { code, stdout, stderr } = await runCli(['billing', 'ledger', 'verify', ...files, '--json'], {
    cwd: space.root,
  })
  expect(stderr).toBe('')
  return { code, ...JSON.parse(stdout) }
}

it('is valid when a covered seal has its hash and its balance', async () => {
  expect(await verify(2)).toMatchObject({ code: 0, verdict: 'valid', seals: 1, unsealed: 0, findings: [] })
})

it('is contradicted by a covered seal of other rows', async () => {
  expect(await verify(2, { ...sealed, balanceCents: 4000 })).toMatchObject({ code: 1, verdict: 'invalid', seals: 1 })
})

it('is not proved by a seal behind the newest checkpoint', async () => {
  expect(await verify(1)).toMatchObject({
    code: 3,
    verdict: 'cannot-tell',
    seals: 0,
    unsealed: 1,
    chain: { verdict: 'valid' },
  })
})

it('is not contradicted by a seal behind the newest checkpoint', async () => {
  expect(await verify(1, { ...sealed, balanceCents: 4000 })).toMatchObject({ code: 3, seals: 0, findings: [] })
})
