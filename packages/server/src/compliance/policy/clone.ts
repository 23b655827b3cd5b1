/** Copies of what the system organization offers: a policy with its rules, or single template rules. All or nothing. */
import { cloneRules, type Rule } from '@plumbline/engine'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { name as nameSchema } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { insertAuthored } from '../rule/create.js'
import { engineRule, RuleRecord, ruleRecord } from '../rule/record.js'
import { ruleText } from '../rule/schema.js'
import { lockRules } from '../rule-set/stamp.js'
import { liveNames } from '../subscription/clone.js'
import { checkFeature, checkSubscriber } from '../subscription/gate.js'
import { complianceTables, type PolicyRow, type RuleRow } from '../tables.js'
import { findVisiblePolicy } from './read.js'
import { membersOf, PolicyRecord, policyRecord } from './record.js'
import { insertPolicy, liveKey, setMembers } from './write.js'

const NAME_MAX = 255

/** @throws Refusal 409 that lists references out of the group. */
async function copyRules(
  context: WriteContext<'compliance.rule.create'>,
  originals: readonly Rule[],
): Promise<RuleRow[]> {
  const { tx, runtime } = context
  const orgId = tenantId(context)
  await lockRules(tx, orgId)
  const { rules, leaving } = cloneRules(originals, {
    names: await liveNames(tx, orgId),
    newId: () => runtime.ids.next(),
    orgId,
  })
  if (leaving.length > 0) {
    throw new Refusal('CONFLICT', `${leaving.length} references lead out of the group: copy what they name too`, {
      details: { leaving },
    })
  }
  const made: RuleRow[] = []
  for (const rule of rules) {
    const row = await insertAuthored(context, rule)
    made.push(row)
    await context.audit('compliance.rule.create', {
      targetType: 'rule',
      targetId: row.id,
      details: { name: row.name, reason: `copied from the template ${row.forkedFromRuleId}` },
    })
  }
  return made
}

const templateRules = (db: Db, ids: readonly string[]): Promise<RuleRow[]> => {
  const { rules: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.isTemplate, true), isNull(t.deletedAtMs), inArray(t.id, [...ids])))
}

export const clonePolicy = command({
  name: 'compliance.policy.clone',
  summary: 'Copy a policy of the system organization with its rules into own ones',
  description:
    'A rule whose name is taken gets `-2`; references among the rules lead to the copies. A policy of a library that is sold needs its feature.',
  http: { method: 'post', path: '/compliance/policies/:id/clone', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.policy.create', 'compliance.rule.create'],
  idempotent: true,
  input: {
    path: Type.Object({ id: Uuid }),
    body: strictObject({
      name: Type.Optional(nameSchema(1, NAME_MAX)),
    }),
  },
  output: strictObject({ policy: PolicyRecord, rules: Type.Array(RuleRecord) }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path, body }) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    const template = await findVisiblePolicy(tx, orgId, path.id)
    if (!template.isTemplate && !template.isPublished) throw notFound('Policy')
    const members = (await membersOf(tx, [template.id])).get(template.id) ?? []
    const { rules: t } = complianceTables(tx)
    const originals = await tx
      .select()
      .from(t)
      .where(
        and(
          eq(t.orgId, SYSTEM_ORG_ID),
          isNull(t.deletedAtMs),
          inArray(
            t.id,
            members.map(({ id }) => id),
          ),
        ),
      )
    for (const rule of originals) checkFeature(context, rule)
    const rules = await copyRules(context, originals.map(engineRule))
    const tags = template.tags.filter((tag) => !tag.startsWith('set:'))
    const name = body.name ?? template.name
    const row: PolicyRow = {
      ...template,
      id: runtime.ids.next(),
      orgId,
      name,
      liveKey: liveKey(name, template.version),
      tags,
      tagText: ruleText(tags),
      isTemplate: false,
      isPublished: false,
      isActive: true,
      revision: 1,
      createdAtMs: nowMs,
      createdBy: actor.id,
      updatedAtMs: nowMs,
      updatedBy: actor.id,
    }
    await insertPolicy(tx, row)
    await setMembers(
      context,
      row,
      rules.map(({ id }) => id),
    )
    await context.audit('compliance.policy.create', {
      targetType: 'policy',
      targetId: row.id,
      details: { name, reason: `copied from the template ${template.id}` },
    })
    const grouped = rules.map(({ id, name: ruleName }) => ({ id, name: ruleName }))
    return changed({
      policy: policyRecord(row, grouped, orgId),
      rules: rules.map((rule) => ruleRecord(rule, orgId, [row.id])),
    })
  },
})

const Skipped = strictObject({ id: Type.String(), reason: Type.Enum(['unknown_template', 'name_taken']) })
export const Applied = strictObject({
  created: Type.Integer(),
  skipped: Type.Array(Skipped),
  ruleIds: Type.Array(Uuid),
})

export const cloneTemplates = command({
  name: 'compliance.template.clone',
  summary: 'Copy template rules of the system organization into own ones',
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
