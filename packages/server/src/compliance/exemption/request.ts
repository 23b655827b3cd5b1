/** Requests exemptions, one or up to 500. Any member who reads rules may request one; another person decides. */
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ExemptionRecord, exemptionRecord } from './record.js'
import { endExpired, insertRequest, Request, rowOf, ruleFor, rulesNamed, withNames } from './requests.js'

export const requestExemption = command({
  name: 'compliance.exemption.request',
  summary: 'Request an exemption of one entity from one rule',
  description:
    'Name the entity by `entityId`, or by `entityKey` when it is not stored yet or is in a repository: exactly one of them. `isStored` in the answer says whether a live record matches.',
  http: { method: 'post', path: '/compliance/exemptions', status: 201 },
  access: permission('compliance:read'),
  tenant: fromHeader,
  audit: ['compliance.exemption.request'],
  idempotent: true,
  input: { body: Request },
  output: strictObject({ exemption: ExemptionRecord }),
  errors: ['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, nowMs } = context
    const rule = ruleFor(await rulesNamed(context, [body]), body, nowMs, '/body')
    await endExpired(tx, tenantId(context), nowMs)
    const [asked] = await withNames(context, [rowOf(context, body, rule)])
    if (asked === undefined) throw new Error('one request gave no row')
    const { row, isStored } = asked
    if (!(await insertRequest(context, row))) {
      throw new Refusal(
        'CONFLICT',
        'the entity has an open exemption from this rule: wait for its decision, or revoke it first',
      )
    }
    return changed({
      exemption: exemptionRecord(row, nowMs, {
        isStored,
        ruleName: rule.name,
        ruleSeverity: rule.severity,
        mayDecide: false,
        mayRevoke: true,
      }),
    })
  },
})
