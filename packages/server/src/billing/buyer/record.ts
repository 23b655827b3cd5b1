/**
 * A purchase at the marketplace as it is stored: who bought, for which account, and the entitlements that the
 * marketplace last reported.
 */

import { isEntitledValue } from '@plumbline/billing-core'
import { and, eq, isNull, ne, type Placeholder } from 'drizzle-orm'
import Type from 'typebox'
import { HOUR_MS } from '../../runtime/clock.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { createSecretBox } from '../../runtime/secret-box.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew, prepared } from '../../runtime/store/prepared.js'
import type { Buyer } from '../marketplace/port.js'
import { marketplaceTables, type PurchaseRow } from '../marketplace-tables.js'
import { billingTables } from '../tables.js'

const boxOf = perRuntime(({ settings }) => createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? []))
const purpose = (id: string): string => `billing purchase ${id}`

/** The key of a purchase: a licence is unique by itself, a customer only within the product. */
export const customerKey = ({ licenseArn, productCode, customerIdentifier }: Buyer): string =>
  licenseArn === null ? `customer:${productCode}:${customerIdentifier}` : `license:${licenseArn}`

export async function findPurchase(db: Db, id: string): Promise<PurchaseRow | null> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, id))
  return row ?? null
}

export async function findPurchaseByKey(db: Db, key: string): Promise<PurchaseRow | null> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  const [row] = await db.select().from(t).where(eq(t.customerKey, key))
  return row ?? null
}

/** Returns the purchase that a subscription came from; null for a subscription that was bought here. */
export async function findPurchaseOf(db: Db, subscriptionId: string): Promise<PurchaseRow | null> {
  const [row] = await purchaseOf(db, { subscriptionId })
  return row ?? null
}

const purchaseOf = prepared((db, value: (name: 'subscriptionId') => Placeholder) => {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.subscriptionId, value('subscriptionId')))
})

/**
 * Whether the marketplace charges the organization whatever we report: a purchase is entitled there. Usage is charged
 * only as long as we report it.
 */
export async function isPurchased(db: Db, orgId: string): Promise<boolean> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  const { billingSubscriptions: s } = billingTables(db)
  const rows = await db
    .select({ entitlements: t.entitlements })
    .from(t)
    .innerJoin(s, eq(s.id, t.subscriptionId))
    .where(and(eq(t.orgId, orgId), ne(s.status, 'canceled')))
  return rows.some(({ entitlements }) => entitlements.some(({ value }) => isEntitledValue(value)))
}

/** Returns the purchase of the account; the one with a subscription first. */
export async function findPurchaseOfAccount(db: Db, rootOrgId: string): Promise<PurchaseRow | null> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  const rows = await db.select().from(t).where(eq(t.orgId, rootOrgId)).orderBy(t.createdAtMs, t.id)
  return rows.find(({ subscriptionId }) => subscriptionId !== null) ?? rows[0] ?? null
}

export interface NewPurchase {
  readonly id: string
  readonly orgId: string
  readonly buyer: Buyer
}

/** An hour counts the units that are held when it begins, so the first hour is the next one. */
export const nextHour = (ms: number): number => (Math.floor(ms / HOUR_MS) + 1) * HOUR_MS

/** @returns null when another process has just taken the purchase over. */
export async function insertPurchase(
  { tx, runtime, nowMs }: { readonly tx: Tx; readonly runtime: Runtime; readonly nowMs: number },
  { id, orgId, buyer }: NewPurchase,
): Promise<PurchaseRow | null> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(tx)
  const { productCode, customerIdentifier, licenseArn, buyerAccount } = buyer
  const row: PurchaseRow = {
    id,
    orgId,
    subscriptionId: null,
    productCode,
    customerKey: customerKey(buyer),
    customerIdentifier,
    licenseArn,
    buyerAccount: buyerAccount === null ? null : boxOf(runtime).seal(buyerAccount, purpose(id)),
    entitlements: [],
    entitlementsAtMs: 0,
    noticeAtMs: 0,
    claimHash: null,
    claimExpiresAtMs: null,
    claimedAtMs: null,
    notSubscribedAtMs: null,
    meteredFromMs: nextHour(nowMs),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  // guard: a-purchase-is-taken-over-once
  return (await insertNew(tx, t, row)) ? row : null
}

type Columns = Partial<Omit<PurchaseRow, 'id' | 'customerKey' | 'createdAtMs'>>

export async function writePurchase(
  { tx, nowMs }: { readonly tx: Tx; readonly nowMs: number },
  row: PurchaseRow,
  columns: Columns,
): Promise<PurchaseRow> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(tx)
  const next = { ...columns, updatedAtMs: nowMs }
  await tx.update(t).set(next).where(eq(t.id, row.id))
  return { ...row, ...next }
}

/**
 * Invalidates a claim token.
 *
 * @returns False when it was used or replaced meanwhile.
 */
export async function useClaim(
  { tx, nowMs }: { readonly tx: Tx; readonly nowMs: number },
  { id }: PurchaseRow,
  hash: string,
): Promise<boolean> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(tx)
  // guard: a-claim-is-used-once
  const used = await tx
    .update(t)
    .set({ claimHash: null, claimExpiresAtMs: null, claimedAtMs: nowMs })
    .where(and(eq(t.id, id), eq(t.claimHash, hash), isNull(t.claimedAtMs)))
    .returning({ id: t.id })
  return used.length > 0
}

export const buyerOf = (runtime: Runtime, row: PurchaseRow): Buyer => ({
  productCode: row.productCode,
  customerIdentifier: row.customerIdentifier,
  licenseArn: row.licenseArn,
  buyerAccount: row.buyerAccount === null ? null : boxOf(runtime).open(row.buyerAccount, purpose(row.id)),
})

export const ToldView = strictObject({
  dimension: Type.String(),
  planId: nullable(Type.String({ description: 'Null for a dimension without a plan' })),
  isEntitled: Type.Boolean(),
  expirationDate: Type.Optional(Instant),
})

export const PurchaseView = strictObject({
  productCode: Type.String(),
  customerIdentifier: nullable(Type.String({ description: 'Of an older listing' })),
  licenseArn: nullable(Type.String({ description: 'Of a newer listing' })),
  entitlements: Type.Array(ToldView),
  readAt: Instant,
})
