import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { onUser } from './invite.js'
import { findUser, membershipsOf, superAdminsAmong, UserWithMemberships, userRecord } from './record.js'

export const getUser = query({
  name: 'identity.user.get',
  summary: 'Read an account with its memberships',
  http: { method: 'get', path: '/admin/users/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { path: onUser },
  output: strictObject({ user: UserWithMemberships }),
  errors: ['NOT_FOUND'],
  async run({ db }, { path: { id } }) {
    const row = await findUser(db, id)
    const isSuperAdmin = (await superAdminsAmong(db, [id])).has(id)
    return { user: { ...userRecord(row, isSuperAdmin), memberships: await membershipsOf(db, id) } }
  },
})
