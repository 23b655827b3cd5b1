/** `GET /compliance/rules/:id`: own, inherited and published rules. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { heldOf } from '../held.js'
import { policiesOf } from '../membership/link.js'
import { findVisibleRule } from './find.js'
import { RuleRecord, ruleRecord } from './record.js'

export const getRule = query({
  name: 'compliance.rule.get',
  summary: 'Read a rule: your own, one that you inherit, or a published one',
  http: { method: 'get', path: '/compliance/rules/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ rule: RuleRecord }),
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const held = heldOf(context)
    const row = await findVisibleRule(context.db, held, path.id)
    return { rule: ruleRecord(row, held.orgId, await policiesOf(context.db, row)) }
  },
})
