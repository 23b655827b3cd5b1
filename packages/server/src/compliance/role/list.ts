/** List who holds a compliance role. */
import { complianceRolesOf } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { RoleRecord, roleRecord } from './record.js'

const list = listOf({ key: 'roles', item: RoleRecord, sortBy: ['userId'], sortOrder: 'asc' })

export const listRoles = query({
  name: 'compliance.role.list',
  summary: 'List the members with a compliance role',
  http: { method: 'get', path: '/compliance/roles' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const rows = await complianceRolesOf(db, tenantId(context))
    const inOrder = asked.sortOrder === 'desc' ? [...rows].reverse() : rows
    return list.slice(inOrder.map(roleRecord), asked)
  },
})
