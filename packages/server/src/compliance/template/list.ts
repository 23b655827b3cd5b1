/** List the rule templates that come with the server. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { OPERATORS, Severity, Target } from '../rule/schema.js'
import { TEMPLATES } from './built-in.js'

const TemplateRecord = strictObject({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  target: Target,
  severity: Severity,
  field: Type.String(),
  operator: Type.Enum([...OPERATORS]),
  value: Type.Optional(Type.Unknown()),
  priority: Type.Integer(),
  tags: Type.Array(Type.String()),
  category: Type.String(),
})

export const listTemplates = query({
  name: 'compliance.template.list',
  summary: 'List the rule templates of the server',
  http: { method: 'get', path: '/compliance/templates' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {},
  output: strictObject({ templates: Type.Array(TemplateRecord) }),
  errors: [],
  run: async () => ({ templates: TEMPLATES.map(({ tags, ...template }) => ({ ...template, tags: [...tags] })) }),
})
