/** One entry of the check log, such as the one that a refusal refers to. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'
import { CheckRecord, checkRecord } from './list.js'

export const getCheck = query({
  name: 'compliance.check.get',
  summary: 'Show an entry of the check log',
  http: { method: 'get', path: '/compliance/audit/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ entry: CheckRecord }),
  errors: ['NOT_FOUND'],
  async run({ db, ...context }, { path }) {
    const { checks: t } = complianceTables(db)
    const [row] = await db
      .select()
      .from(t)
      .where(
        and(
          // guard: a-check-of-the-own-organization
          eq(t.orgId, tenantId(context)),
          eq(t.id, path.id),
        ),
      )
    if (row === undefined) throw notFound('Check')
    return { entry: checkRecord(row) }
  },
})
