/** Copies a policy of the system organization with its rules, or single template rules. All or nothing. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { nameKey, name as nameSchema } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { setMembers } from '../membership/write.js'
import { engineRule, RuleRecord, ruleRecord } from '../rule/record.js'
import { ruleText } from '../rule/schema.js'
import { checkFeature, checkSubscriber } from '../subscription/gate.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { copyRules } from './copy-rules.js'
import { findVisiblePolicy } from './get.js'
import { membersOf, PolicyRecord, policyRecord } from './record.js'
import { insertPolicy, liveKey } from './write.js'

const NAME_MAX = 255

export const clonePolicy = command({
  name: 'compliance.policy.clone',
  summary: 'Copy a policy of the system organization, with its rules, into your organization',
  description:
    'A rule whose name is taken gets `-2`; references among the rules point to the copies. A policy of a library that is sold needs its feature.',
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
    // guard: only-templates-are-copied
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
      nameKey: nameKey(name),
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
