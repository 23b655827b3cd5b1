/** `GET/PUT/DELETE /compliance/roles[/:userId]`: who may do more in compliance than their Roles say (compliance decisions 12). */
import Type from 'typebox'
import {
  COMPLIANCE_ROLES,
  type ComplianceRoleRow,
  complianceRolesOf,
  grantComplianceRole,
  revokeComplianceRole,
} from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { insufficient, notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { type Authority, changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { command, fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Done } from '../rule/delete.js'

const Role = Type.Enum([...COMPLIANCE_ROLES])

const RoleRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  userId: Uuid,
  role: Role,
  grantedBy: nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
})

const roleRecord = ({ createdAtMs, updatedAtMs, role, ...row }: ComplianceRoleRow) => ({
  ...row,
  role: role as (typeof COMPLIANCE_ROLES)[number],
  createdAt: toIso(createdAtMs),
  updatedAt: toIso(updatedAtMs),
})

/** @throws Refusal 403 for whoever neither administers the organization nor its compliance. */
export function requireComplianceAdmin({ managesCompliance }: Pick<Authority, 'managesCompliance'>): void {
  if (managesCompliance === true) return
  throw insufficient('owner', 'this is for owner and administrators, and for the compliance role `admin`')
}

const list = listOf({ key: 'roles', item: RoleRecord, sortBy: ['userId'], sortOrder: 'asc' })

export const listComplianceRoles = query({
  name: 'compliance.role.list',
  summary: 'List who holds a compliance role',
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

const ofPerson = Type.Object({ userId: Uuid })

export const grantRole = command({
  name: 'compliance.role.grant',
  summary: 'Give a member a compliance role, in place of the one that they have',
  description:
    'For owner and administrators, and for the compliance role `admin`. A role adds to what the member may do.',
  http: { method: 'put', path: '/compliance/roles/:userId' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.role.grant'],
  input: { path: ofPerson, body: strictObject({ role: Role }) },
  output: strictObject({ role: RoleRecord }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { userId }, body: { role } }) {
    requireComplianceAdmin(context.authority)
    const grant = { orgId: tenantId(context), userId, role, grantedBy: context.actor.id }
    const { row, isNew } = await grantComplianceRole(context, grant)
    if (!isNew) return unchanged({ role: roleRecord(row) })
    await context.audit('compliance.role.grant', { targetType: 'user', targetId: userId, details: { role } })
    return changed({ role: roleRecord(row) })
  },
})

export const revokeRole = command({
  name: 'compliance.role.revoke',
  summary: 'Take the compliance role from somebody',
  http: { method: 'delete', path: '/compliance/roles/:userId' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.role.revoke'],
  input: { path: ofPerson },
  output: Done,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { userId } }) {
    requireComplianceAdmin(context.authority)
    const role = await revokeComplianceRole(context, { orgId: tenantId(context), userId })
    if (role === null) throw notFound('Compliance role')
    await context.audit('compliance.role.revoke', { targetType: 'user', targetId: userId, details: { role } })
    return changed({ message: `the compliance role ${role} is taken` })
  },
})
