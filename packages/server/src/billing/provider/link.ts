/** The row of a subscription at its provider. */
import { and, eq, type Placeholder } from 'drizzle-orm'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew, prepared, updateRow } from '../../runtime/store/prepared.js'
import { type LinkRow, providerTables } from '../provider-tables.js'

/** Null for a subscription that no provider charges. */
export async function findLink(db: Db, subscriptionId: string): Promise<LinkRow | null> {
  const [row] = await linkOf(db, { subscriptionId })
  return row ?? null
}

const linkOf = prepared((db, value: (name: 'subscriptionId') => Placeholder) => {
  const { billingProviderLinks: t } = providerTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.id, value('subscriptionId')))
})

export async function findLinkByExternal(db: Db, provider: string, externalId: string): Promise<LinkRow | null> {
  const [row] = await linkOfExternal(db, { provider, externalId })
  return row ?? null
}

const linkOfExternal = prepared((db, value: (name: 'provider' | 'externalId') => Placeholder) => {
  const { billingProviderLinks: t } = providerTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.provider, value('provider')), eq(t.externalId, value('externalId'))))
})

export async function putLink(
  tx: Tx,
  nowMs: number,
  link: { readonly id: string; readonly orgId: string; readonly provider: string },
): Promise<LinkRow> {
  const { billingProviderLinks: t } = providerTables(tx)
  const row: LinkRow = {
    ...link,
    externalId: null,
    seenAtMs: 0,
    isEnded: false,
    cancelUnconfirmed: false,
    isPeriodHeld: false,
    paymentUrl: null,
    paidPeriodStartMs: null,
    announcedPeriodStartMs: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  await tx.insert(t).values(row).onConflictDoNothing()
  return (await findLink(tx, link.id)) ?? row
}

export async function updateLink(
  { tx, nowMs }: { readonly tx: Tx; readonly nowMs: number },
  link: LinkRow,
  columns: Partial<Omit<LinkRow, 'id' | 'orgId' | 'createdAtMs'>>,
): Promise<LinkRow> {
  const { billingProviderLinks: t } = providerTables(tx)
  const next = { ...columns, updatedAtMs: nowMs }
  await updateRow(tx, t, link.id, next)
  return { ...link, ...next }
}

export async function findCustomer(db: Db, orgId: string): Promise<string | null> {
  const { billingProviderCustomers: t } = providerTables(db)
  const [row] = await db.select({ customerId: t.customerId }).from(t).where(eq(t.orgId, orgId))
  return row?.customerId ?? null
}

export async function keepCustomer(
  { tx, nowMs }: { readonly tx: Tx; readonly nowMs: number },
  customer: { readonly orgId: string; readonly provider: string; readonly customerId: string },
): Promise<void> {
  await insertNew(tx, providerTables(tx).billingProviderCustomers, { ...customer, createdAtMs: nowMs })
}
