/** One exemption that the organization requested or decides about. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ExemptionRecord } from './record.js'
import { shownExemption } from './shown.js'
import { findConcerned } from './transition.js'

export const getExemption = query({
  name: 'compliance.exemption.get',
  summary: 'Show an exemption',
  http: { method: 'get', path: '/compliance/exemptions/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ exemption: ExemptionRecord }),
  errors: ['NOT_FOUND'],
  async run({ db, nowMs, ...context }, { path }) {
    const orgId = tenantId({ ...context, nowMs })
    const row = await findConcerned(db, orgId, path.id)
    return { exemption: await shownExemption(db, { ...context, nowMs }, row) }
  },
})
