/**
 * Interprets a notice of the marketplace: an action of an older listing, or an event of a newer one. Whatever it says,
 * the entitlements of the purchase are read and decide.
 */

import { openAccount } from '../account/open.js'
import { StaleRead } from '../account/stale-read.js'
import type { BillingWriting } from '../account/writing.js'
import { ENTITLEMENTS_KIND } from '../buyer/kind.js'
import { buyerOf, findPurchase, findPurchaseByKey, writePurchase } from '../buyer/record.js'
import type { Settling } from '../call/said.js'
import { marketplaceOf } from '../marketplace/client.js'
import { marketplaceSettings } from '../marketplace/settings.js'
import type { PurchaseRow, ToldEntitlement } from '../marketplace-tables.js'
import type { DeliveryRow } from '../provider-tables.js'
import { follow, type Hint } from '../purchase/follow.js'
import { openText } from './delivery.js'

interface Told {
  /** The action, or the kind of the event. */
  readonly kind: string
  /** The key of the purchase; empty where the notice names none. */
  readonly objectId: string
  readonly productCode: string | null
  readonly hint: Hint
}

const ACTIONS: Readonly<Record<string, Hint>> = {
  'subscribe-success': 'subscribed',
  'subscribe-fail': 'failed',
  'unsubscribe-pending': 'ending',
  'unsubscribe-success': 'ended',
  'entitlement-updated': 'none',
}
const KIND_CHARS_MAX = 100
const ID_CHARS_MAX = 300
const LICENSE = /^arn:aws[a-z-]*:license-manager:[^:]*:[^:]*:license:[A-Za-z0-9-]{1,100}$/

/** Never throws: a notice that cannot be parsed is about nothing. */
export function readHint(message: string): Told {
  const value = objectOf(message)
  const action = value['action']
  if (typeof action === 'string') {
    const product = textOf(value['product-code'])
    const customer = textOf(value['customer-identifier'])
    const hint = Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? 'none') : 'none'
    const objectId = product === null || customer === null ? '' : `customer:${product}:${customer}`
    return { kind: action.slice(0, KIND_CHARS_MAX), objectId, productCode: product, hint }
  }
  const kind = textOf(value['detail-type'])
  if (kind === null) return { kind: 'unknown', objectId: '', productCode: null, hint: 'none' }
  const license = findLicense(value['detail'], 6)
  return {
    kind: kind.slice(0, KIND_CHARS_MAX),
    objectId: license === null ? '' : `license:${license}`,
    productCode: null,
    hint: hintOfEvent(kind),
  }
}

function hintOfEvent(kind: string): Hint {
  if (/\b(ended|terminated|deprovisioned)\b/i.test(kind)) return 'ended'
  return /\bcreated\b/i.test(kind) ? 'subscribed' : 'none'
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= ID_CHARS_MAX ? value : null

/** Events of different kinds name the licence in different places. */
function findLicense(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return LICENSE.test(value) ? value : null
  if (typeof value !== 'object' || value === null || depth === 0) return null
  for (const each of Object.values(value)) {
    const found = findLicense(each, depth - 1)
    if (found !== null) return found
  }
  return null
}

export type NoticeFacts =
  | { readonly kind: 'nothing'; readonly effect: string }
  | { readonly kind: 'read-all' }
  | {
      readonly kind: 'purchase'
      readonly purchase: PurchaseRow
      readonly told: readonly ToldEntitlement[]
      readonly askedAtMs: number
      readonly hint: Hint
      readonly sentAtMs: number
    }

export async function learnNotice(settling: Settling, row: DeliveryRow): Promise<NoticeFacts> {
  const { runtime } = settling
  const text = openText(runtime, row)
  if (text === null) throw new Error('the text of the notice was erased')
  const message = objectOf(text)['Message']
  const { kind, objectId, productCode, hint } = readHint(typeof message === 'string' ? message : '')
  const settings = marketplaceSettings(runtime.settings)
  // guard: a-notice-is-of-our-product
  if (productCode !== null && productCode !== settings.productCode)
    return { kind: 'nothing', effect: 'another product' }
  if (kind === 'unknown') return { kind: 'nothing', effect: 'unknown notice' }
  if (objectId === '') return { kind: 'read-all' }
  const purchase = await settling.read((db) => findPurchaseByKey(db, objectId))
  // A buyer may be announced before they arrive. Their entitlements are read then.
  if (purchase === null) return { kind: 'nothing', effect: 'unbound' }
  const askedAtMs = runtime.clock.now()
  const told = await marketplaceOf(runtime).entitlements(buyerOf(runtime, purchase))
  return { kind: 'purchase', purchase, told, askedAtMs, hint, sentAtMs: row.sentAtMs }
}

export async function applyNotice(writing: BillingWriting, facts: NoticeFacts): Promise<string> {
  if (facts.kind === 'nothing') return facts.effect
  if (facts.kind === 'read-all') {
    await writing.enqueue({ kind: ENTITLEMENTS_KIND, payload: {}, uniqueKey: 'notice' })
    return 'all purchases are read again'
  }
  const { inTime, root } = await openAccount(writing, facts.purchase.orgId)
  const purchase = await findPurchase(inTime.tx, facts.purchase.id)
  if (purchase === null) return 'unbound'
  // guard: a-notice-follows-the-newest-read
  if (purchase.orgId !== facts.purchase.orgId || purchase.entitlementsAtMs > facts.askedAtMs) throw new StaleRead()
  // guard: an-older-notice-only-reads-again
  const isOlder = facts.sentAtMs < purchase.noticeAtMs
  const { row } = await follow(inTime, { root, purchase }, facts.told, isOlder ? 'none' : facts.hint)
  await writePurchase(inTime, purchase, { noticeAtMs: Math.max(facts.sentAtMs, purchase.noticeAtMs) })
  const after = row === null ? 'no subscription' : `subscription ${row.status}, plan ${row.planId}`
  return isOlder ? `read again: ${after}` : after
}
