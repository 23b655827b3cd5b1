/** The row of a subscription at its provider. */
import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../runtime/store/db.js'
import { type LinkRow, providerTables } from '../provider-tables.js'

/** Null for a subscription that nobody charges. */
export async function findLink(db: Db, subscriptionId: string): Promise<LinkRow | null> {
  const { billingProviderLinks: t } = providerTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, subscriptionId))
  return row ?? null
}

export async function findLinkByExternal(db: Db, provider: string, externalId: string): Promise<LinkRow | null> {
  const { billingProviderLinks: t } = providerTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.provider, provider), eq(t.externalId, externalId)))
  return row ?? null
}

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
    paymentUrl: null,
    paidPeriodStartMs: null,
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
  await tx.update(t).set(next).where(eq(t.id, link.id))
  return { ...link, ...next }
}

export async function findCustomer(db: Db, orgId: string): Promise<string | null> {
  const { billingProviderCustomers: t } = providerTables(db)
  const [row] = await db.select({ id: t.customerId }).from(t).where(eq(t.orgId, orgId))
  return row?.id ?? null
}

export async function keepCustomer(
  { tx, nowMs }: { readonly tx: Tx; readonly nowMs: number },
  customer: { readonly orgId: string; readonly provider: string; readonly customerId: string },
): Promise<void> {
  const { billingProviderCustomers: t } = providerTables(tx)
  await tx
    .insert(t)
    .values({ ...customer, createdAtMs: nowMs })
    .onConflictDoNothing()
}
