/** Create a policy. */

import Type from 'typebox'
import { insufficient } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { DryRun } from '../../runtime/operation/dry-run.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { setMembers } from '../membership/write.js'
import { ruleText } from '../rule/schema.js'
import { lockRules } from '../rule-stamp.js'
import type { PolicyRow } from '../tables.js'
import { changeable, Name, Output, withMembers } from './change.js'
import { insertPolicy, liveKey, membersWanted } from './write.js'

export const createPolicy = command({
  name: 'compliance.policy.create',
  summary: 'Create a policy',
  http: { method: 'post', path: '/compliance/policies', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.policy.create'],
  idempotent: true,
  input: {
    query: DryRun,
    body: strictObject({ name: Name, isTemplate: Type.Optional(Type.Boolean()), ...changeable }),
  },
  output: Output,
  errors: ['DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    if (body.isTemplate === true && orgId !== SYSTEM_ORG_ID) {
      throw insufficient('system-admin', 'only the system organization has templates: leave `isTemplate` out')
    }
    await lockRules(tx, orgId)
    const ruleIds = (await membersWanted(tx, orgId, body)) ?? []
    const version = body.version ?? '1.0.0'
    const tags = [...new Set(body.tags ?? [])]
    const row: PolicyRow = {
      id: runtime.ids.next(),
      orgId,
      name: body.name,
      nameKey: nameKey(body.name),
      version,
      liveKey: liveKey(body.name, version),
      description: body.description ?? null,
      tags,
      tagText: ruleText(tags),
      isTemplate: body.isTemplate ?? false,
      isPublished: false,
      isActive: body.isActive ?? true,
      revision: 1,
      createdAtMs: nowMs,
      createdBy: actor.id,
      updatedAtMs: nowMs,
      updatedBy: actor.id,
      ...NOT_DELETED,
    }
    await insertPolicy(tx, row)
    await setMembers(context, row, ruleIds)
    await context.audit('compliance.policy.create', {
      targetType: 'policy',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed(await withMembers(tx, row))
  },
})
