/** A policy as the API shows it: a named group of rules, with those of its rules that are live (spec compliance 8). */
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Unlocking, waysToUnlock } from '../../runtime/operation/unlocking.js'
import type { Db } from '../../runtime/store/db.js'
import { featureOf } from '../subscription/gate.js'
import { complianceTables, type PolicyRow } from '../tables.js'

export const PolicyRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  version: Type.String(),
  description: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  isTemplate: Type.Boolean(),
  isPublished: Type.Boolean({
    description: 'Whether it belongs to a rule library that is sold; `unlockedBy` names what unlocks its rules',
  }),
  unlockedBy: nullable(Unlocking),
  isActive: Type.Boolean({ description: 'A rule is not enforced while all of its policies are inactive' }),
  rules: Type.Array(strictObject({ id: Uuid, name: Type.String() })),
  revision: Type.Integer(),
  createdAt: Instant,
  createdBy: nullable(Type.String()),
  updatedAt: Instant,
  updatedBy: nullable(Type.String()),
  deletedAt: nullable(Instant),
  deletedBy: nullable(Type.String()),
  purgeAfter: nullable(Instant),
})

/** Fields that the server sets; an update may send them back unchanged. */
export const POLICY_SERVER_OWNED = [
  'id',
  'orgId',
  'isTemplate',
  'isPublished',
  'unlockedBy',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'deletedBy',
  'purgeAfter',
] as const

function unlockingOf({ isPublished, tags }: PolicyRow): Unlocking | null {
  const feature = isPublished ? featureOf({ tags }) : null
  return feature === null ? null : waysToUnlock(feature)
}

export interface Member {
  readonly id: string
  readonly name: string
}

export const policyRecord = (
  row: PolicyRow,
  rules: readonly Member[],
  viewerOrgId: string,
): Static<typeof PolicyRecord> => {
  const isOwn = row.orgId === viewerOrgId
  return {
    id: row.id,
    orgId: row.orgId,
    name: row.name,
    version: row.version,
    description: row.description,
    tags: [...row.tags],
    isTemplate: row.isTemplate,
    isPublished: row.isPublished,
    unlockedBy: unlockingOf(row),
    isActive: row.isActive,
    rules: [...rules],
    revision: row.revision,
    createdAt: toIso(row.createdAtMs),
    createdBy: isOwn ? row.createdBy : null,
    updatedAt: toIso(row.updatedAtMs),
    updatedBy: isOwn ? row.updatedBy : null,
    deletedAt: toIsoOrNull(row.deletedAtMs),
    deletedBy: isOwn ? row.deletedBy : null,
    purgeAfter: isOwn ? toIsoOrNull(row.purgeAfterMs) : null,
  }
}

/** The live rules of each policy, sorted by name. */
export async function membersOf(db: Db, policyIds: readonly string[]): Promise<ReadonlyMap<string, Member[]>> {
  const members = new Map<string, Member[]>()
  if (policyIds.length === 0) return members
  const { policyRules, rules } = complianceTables(db)
  const rows = await db
    .select({ policyId: policyRules.policyId, id: rules.id, name: rules.name })
    .from(policyRules)
    .innerJoin(rules, and(eq(rules.id, policyRules.ruleId), eq(rules.orgId, policyRules.orgId)))
    .where(and(inArray(policyRules.policyId, [...policyIds]), isNull(rules.deletedAtMs)))
    .orderBy(asc(rules.nameKey), asc(rules.id))
  for (const { policyId, ...rule } of rows) members.set(policyId, [...(members.get(policyId) ?? []), rule])
  return members
}
