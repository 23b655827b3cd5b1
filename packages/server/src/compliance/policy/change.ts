/** Shared by the operations that change a policy. */
import { and, eq, isNotNull } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { name } from '../../runtime/operation/name.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { membersOf, PolicyRecord, policyRecord } from './record.js'
import { RULES_MAX } from './write.js'

export const Name = name(1, 255)

const Version = Type.String({ minLength: 1, maxLength: 50, pattern: '^\\S+$', 'x-says': 'must not contain spaces' })

export const changeable = {
  version: Type.Optional(Version),
  description: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
  isActive: Type.Optional(Type.Boolean()),
  rules: Type.Optional(
    Type.Array(name(1, 255), {
      maxItems: RULES_MAX,
      description: 'Names of rules of the organization',
    }),
  ),
  ruleIds: Type.Optional(Type.Array(Uuid, { maxItems: RULES_MAX, description: 'Ids of rules of the organization' })),
}

export const Output = strictObject({ policy: PolicyRecord })

export const Path = Type.Object({ id: Uuid })

export const withMembers = async (db: Db, row: PolicyRow) => ({
  policy: policyRecord(row, (await membersOf(db, [row.id])).get(row.id) ?? [], row.orgId),
})

export async function findDeletedPolicy(db: Db, orgId: string, id: string): Promise<PolicyRow> {
  const { policies: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, orgId), isNotNull(t.deletedAtMs)))
  if (row === undefined) throw notFound('Policy')
  return row
}
