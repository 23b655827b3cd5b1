/** A row of the credit ledger on the wire. */
import { entryTypes } from '@plumbline/billing-core'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { EntryRow } from '../tables.js'

const STATES = ['pending', 'posted', 'reversed'] as const

export const LedgerRowView = strictObject({
  id: Uuid,
  orgId: Uuid,
  subscriptionId: Uuid,
  seq: Type.Integer({ minimum: 1, description: 'Within the subscription, without a gap' }),
  type: Type.Enum([...entryTypes]),
  sourceId: Type.String(),
  cents: Type.Integer({ description: 'US cents; below 0 when credit is used or taken back' }),
  remainingCents: Type.Integer({ minimum: 0, description: 'US cents of a grant that are left' }),
  reversedCents: Type.Integer({ minimum: 0 }),
  state: Type.Enum([...STATES]),
  dedupeKey: Type.String(),
  grantedAt: Instant,
  createdAt: Instant,
  fulfillmentRef: nullable(strictObject({ kind: Type.String(), ref: Type.String() })),
  actorId: nullable(Type.String()),
  details: nullable(Type.Record(Type.String(), Type.Unknown())),
  hash: Type.String({ description: 'Hash over the row and the row before it' }),
})

/** A row for an export, with each fact once. */
export const entryFacts = ({ grantedAtMs, ...row }: EntryRow) => ({
  id: row.id,
  orgId: row.orgId,
  subscriptionId: row.subscriptionId,
  seq: row.seq,
  type: row.type as (typeof entryTypes)[number],
  sourceId: row.sourceId,
  cents: row.cents,
  remainingCents: row.remainingCents,
  reversedCents: row.reversedCents,
  state: row.state as (typeof STATES)[number],
  dedupeKey: row.dedupeKey,
  grantedAt: toIso(grantedAtMs),
  fulfillmentRef: row.fulfillmentRef,
  actorId: row.actorId,
  details: row.details,
  hash: row.hash,
})

export const presentEntry = (row: EntryRow) => ({ ...entryFacts(row), createdAt: toIso(row.grantedAtMs) })
