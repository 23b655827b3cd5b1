/**
 * Goal: a seal of the audit log speaks for a ledger only as far as a signed checkpoint covers it. Behind the newest
 * checkpoint anybody can append a seal of rows that they invented.
 */
import {
  canonicalText,
  createSigningKey,
  formatManifest,
  formatVerifierKey,
  LEDGER_SEAL_ACTION,
  ledgerHash,
  ledgerSealHash,
  scrub,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { expect, it } from 'vitest'
import { crypto, eventAt, Random, sealAll } from '../../audit-chain/test/support/fixture.js'
import { signedManifest } from '../src/audit/write-bundle.js'
import { collector, memoryIo, runCli } from './support/memory-io.js'
import { workspace } from './support/workspace.js'

const ORG = 'acme'
const SUBSCRIPTION = 'sub_1'
const KEY = createSigningKey(nodeCrypto, 'plumbline-audit', new Uint8Array(32).fill(7))

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
function auditLog(covered: number, details: Readonly<Record<string, unknown>>): string {
  const random = new Random(1)
  const sealing = { ...eventAt(2, random, ORG), action: LEDGER_SEAL_ACTION, targetId: SUBSCRIPTION }
  const rows = sealAll([eventAt(1, random, ORG), { ...sealing, details: scrub(crypto, details).details }], random)
  const bundle = { origin: 'audit.example.com', chain: ORG, anchor: null, checkpoints: [], keys: [] }
  const signed = signedManifest(
    { ...bundle, rows: rows.slice(0, covered) },
    KEY,
    memoryIo({}, collector().stream, collector().stream),
  )
  const manifest = { ...signed, to: rows.length, head: { seq: rows.length, hash: rows.at(-1)?.hash ?? '' } }
  return [formatManifest(manifest), ...rows.map((row) => canonicalText({ ...row }))].join('\n')
}

const sealed = { firstSeq: 1, lastSeq: 1, balanceCents: 5000, hash: ledgerSealHash(hash) }

async function verify(covered: number, details: Readonly<Record<string, unknown>> = sealed) {
  const space = workspace({
    'ledger.jsonl': ledger,
    'audit.jsonl': auditLog(covered, details),
    key: formatVerifierKey(KEY),
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
