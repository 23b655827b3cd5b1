/** `POST /compliance/templates/apply`. */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { addRule } from '../rule/create.js'
import { lockRules } from '../rule-stamp.js'
import { liveNames } from '../subscription/clone.js'
import { TEMPLATES } from './built-in.js'
import { Applied } from './clone.js'

const MAX = 50

export const applyTemplates = command({
  name: 'compliance.template.apply',
  summary: 'Create rules of the organization from templates',
  description: 'A template is skipped when a rule has its name.',
  http: { method: 'post', path: '/compliance/templates/apply', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.template.apply'],
  idempotent: true,
  input: {
    body: strictObject(
      {
        templateIds: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX, uniqueItems: true })),
        templateId: Type.Optional(Type.String({ description: 'In place of `templateIds`' })),
      },
      { minProperties: 1, examples: [{ templateId: 'tpl-require-description' }] },
    ),
  },
  output: Applied,
  errors: ['VALIDATION_ERROR'],
  async run(context, { body }) {
    if (body.templateId !== undefined && body.templateIds !== undefined) {
      throw invalidField('/body/templateId', 'stands in place of `templateIds`: send one of them')
    }
    const { tx } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const names = new Set(await liveNames(tx, orgId))
    const skipped: { id: string; reason: 'unknown_template' | 'name_taken' }[] = []
    const ruleIds: string[] = []
    for (const id of body.templateIds ?? [body.templateId ?? '']) {
      const template = TEMPLATES.find((each) => each.id === id)
      if (template === undefined || names.has(template.name)) {
        skipped.push({ id, reason: template === undefined ? 'unknown_template' : 'name_taken' })
        continue
      }
      const { id: _id, category: _category, ...draft } = template
      const row = await addRule(context, draft)
      names.add(row.name)
      ruleIds.push(row.id)
      await context.audit('compliance.template.apply', {
        targetType: 'rule',
        targetId: row.id,
        details: { id, name: row.name },
      })
    }
    const data = { created: ruleIds.length, skipped, ruleIds }
    return ruleIds.length === 0 ? unchanged(data) : changed(data)
  },
})
