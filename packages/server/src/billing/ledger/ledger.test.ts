/** The ledger is told row by row, leaves as a file, and is sealed so that nothing in it changes unnoticed. */
import { type HashedLedgerRow, type LedgerSeal, ledgerSealOf, verifyLedger } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { checkLedger, type LedgerRow } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidenceRows } from '../../../test/support/organizations.js'
import { billingRegistration } from '../registration.js'
import { billingTables } from '../tables.js'

type Row = HashedLedgerRow & LedgerRow

await describeStores('the ledger', WITH_POSTGRESQL, (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open())
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await world.store.close()
  })

  /** Credit that is given back, used, and given back again. */
  const live = async () => {
    const { id } = await ada.subscribe('enterprise')
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team' })
    for (let month = 0; month < 2; month++) {
      await ada.later(31 * DAY_MS)
      await world.run('billing.lifecycle')
      await ada.signInAgain()
    }
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'pro' })
    return id as string
  }
  const exported = async (): Promise<{ head: Record<string, unknown>; rows: Row[] }> => {
    const headers = { authorization: `Bearer ${ada.person.accessToken}`, 'x-org-id': ada.orgId }
    const response = await world.app.http.request('/api/billing/ledger/export', { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/jsonl; charset=utf-8'])
    const [head, ...rows] = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    return { head, rows }
  }
  const seals = async (): Promise<LedgerSeal[]> =>
    (await evidenceRows(world.app, ada.orgId)).map(ledgerSealOf).filter((each) => each !== null)
  const verdict = async (rows: readonly Row[]) => {
    const report = verifyLedger(nodeCrypto, { rows, seals: await seals(), orgId: ada.orgId })
    return { ...report, names: report.findings.map(({ rowId }) => rowId) }
  }

  it('is listed newest first, and its cents sum to the balance', async () => {
    await live()
    const { entries, pagination } = (await ada.get('/billing/ledger?limit=1000')).data
    expect(entries.length).toBe(pagination.total)
    expect(entries.length).toBeGreaterThanOrEqual(4)
    const sum = (entries as { cents: number }[]).reduce((total, { cents }) => total + cents, 0)
    expect(sum).toBe((await ada.subscription()).creditBalanceCents)
    const times = (entries as { createdAt: string }[]).map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    const eve = await world.sibling()
    expect((await eve.get('/billing/ledger')).data.entries).toEqual([])
  })

  it('leaves whole, replays without a finding, and is what was sealed with the export', async () => {
    const id = await live()
    const { head, rows } = await exported()
    expect(head).toMatchObject({ plumblineLedger: 1, orgId: ada.orgId, rows: rows.length })
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index + 1))
    expect(checkLedger(rows)).toEqual([])
    expect(await seals()).toMatchObject([{ subscriptionId: id, firstSeq: 1, lastSeq: rows.length }])
    expect(await verdict(rows)).toMatchObject({ verdict: 'valid', unsealed: 0, findings: [] })
    // Sealed once: neither another export nor the job says it again.
    await exported()
    await world.run('billing.ledger-seal')
    expect(await seals()).toHaveLength(1)
    // What comes later is sealed by the job, from where the last seal ended.
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'developer' })
    await world.run('billing.ledger-seal')
    expect((await seals()).map(({ firstSeq }) => firstSeq)).toEqual([1, rows.length + 1])
  })

  it('names the row in which a digit changed, and finds what is dropped, added or moved', async () => {
    await live()
    const { rows } = await exported()
    const [first, second, third] = rows as [Row, Row, Row]
    const changed = (row: Row, more: Partial<Row>) => rows.map((each) => (each === row ? { ...row, ...more } : each))
    const digit = await verdict(changed(second, { cents: (second.cents + 1) as Row['cents'] }))
    expect(digit.verdict).toBe('invalid')
    expect(digit.names[0]).toBe(second.id)
    expect((await verdict(changed(third, { dedupeKey: `${third.dedupeKey}0` }))).names[0]).toBe(third.id)
    expect((await verdict(rows.slice(1))).names).toContain(second.id)
    expect((await verdict(rows.slice(0, -1))).findings[0]?.reason).toBe('row_missing')
    expect((await verdict([second, first, ...rows.slice(2)])).verdict).toBe('invalid')
    expect((await verdict([])).verdict).toBe('invalid')
    expect((await verdict([...rows, { ...first, seq: rows.length + 1 }])).verdict).toBe('invalid')
  })

  it('finds what was changed in the database itself', async () => {
    await live()
    await exported()
    await world.store.system.write(async (tx) => {
      const { billingCreditEntries: t } = billingTables(tx)
      const [row] = await tx.select().from(t).where(eq(t.orgId, ada.orgId)).orderBy(t.seq).limit(1)
      await tx
        .update(t)
        .set({ cents: (row?.cents ?? 0) + 100_000 })
        .where(eq(t.id, row?.id ?? ''))
    })
    const { rows } = await exported()
    expect((await verdict(rows)).names[0]).toBe(rows[0]?.id)
  })

  it('stays provable when the person who acted is erased', async () => {
    await live()
    await world.store.system.write((tx) =>
      billingRegistration.erase(tx, ada.person.userId, { ...world.app.runtime, recheck: async () => undefined }),
    )
    const { rows } = await exported()
    expect(rows.every(({ actorId }) => actorId === null)).toBe(true)
    expect((await verdict(rows)).verdict).toBe('valid')
  })
})
