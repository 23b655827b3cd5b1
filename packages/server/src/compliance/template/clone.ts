/** Copy template rules of the system organization into own rules. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { copyRules } from '../policy/copy-rules.js'
import { engineRule } from '../rule/record.js'
import { checkSubscriber } from '../subscription/gate.js'
import { complianceTables, type RuleRow } from '../tables.js'

const templateRules = (db: Db, ids: readonly string[]): Promise<RuleRow[]> => {
  const { rules: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.isTemplate, true), isNull(t.deletedAtMs), inArray(t.id, [...ids])))
}

const Skipped = strictObject({ id: Type.String(), reason: Type.Enum(['unknown_template', 'name_taken']) })

export const Applied = strictObject({
  created: Type.Integer(),
  skipped: Type.Array(Skipped),
  ruleIds: Type.Array(Uuid),
})

export const cloneTemplates = command({
  name: 'compliance.template.clone',
  summary: 'Copy template rules of the system organization into your organization',
  http: { method: 'post', path: '/compliance/templates/clone', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.create'],
  idempotent: true,
  input: {
    body: strictObject({ ruleIds: Type.Array(Uuid, { minItems: 1, maxItems: 50, uniqueItems: true }) }),
  },
  output: Applied,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  async run(context, { body: { ruleIds } }) {
    const { tx } = context
    checkSubscriber(context)
    const found = await templateRules(tx, ruleIds)
    const known = new Set(found.map(({ id }) => id))
    const skipped = ruleIds.filter((id) => !known.has(id)).map((id) => ({ id, reason: 'unknown_template' as const }))
    if (found.length === 0) return unchanged({ created: 0, skipped, ruleIds: [] })
    const made = await copyRules(context, found.map(engineRule))
    return changed({ created: made.length, skipped, ruleIds: made.map(({ id }) => id) })
  },
})
