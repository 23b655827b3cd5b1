/** A domain of an organization as the API shows it, with the record to enter in the DNS. */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { type DomainRow, ssoTables } from '../tables.js'
import { isProven } from './proof.js'

export const onDomain = Type.Object({ id: Type.String(), domainId: Type.String() })

export const DomainRecord = strictObject({
  id: Uuid,
  domain: Type.String(),
  status: choice(['pending', 'verified', 'missing', 'lost'] as const, {
    description:
      '`missing`: the record is gone for less than 72 hours; `lost`: for longer, or another organization proved the domain',
  }),
  record: strictObject({ type: Type.Literal('TXT'), name: Type.String(), value: Type.String() }),
  verifiedAt: nullable(Instant),
  checkedAt: nullable(Instant),
  missingSince: nullable(Instant),
  createdAt: Instant,
})
export const DomainAnswer = strictObject({ domain: DomainRecord })

export const recordName = (domain: string): string => `_plumbline-challenge.${domain}`
export const recordValue = (token: string): string => `plumbline-verify=${token}`

function statusOf(row: DomainRow, nowMs: number) {
  if (row.verifiedAtMs === null) return 'pending'
  if (!isProven(row, nowMs)) return 'lost'
  return row.missingSinceMs === null ? 'verified' : 'missing'
}

export const domainRecord = (row: DomainRow, nowMs: number): Static<typeof DomainRecord> => ({
  id: row.id,
  domain: row.domain,
  status: statusOf(row, nowMs),
  record: { type: 'TXT', name: recordName(row.domain), value: recordValue(row.token) },
  verifiedAt: toIsoOrNull(row.verifiedAtMs),
  checkedAt: toIsoOrNull(row.checkedAtMs),
  missingSince: toIsoOrNull(row.missingSinceMs),
  createdAt: toIso(row.createdAtMs),
})

/** @throws Refusal 404, also for a domain of another organization. */
export async function findDomain(db: Db, orgId: string, id: string): Promise<DomainRow> {
  const { idpDomains: t } = ssoTables(db)
  // guard: domains-of-the-own-organization
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  if (row === undefined) throw notFound('Domain')
  return row
}
