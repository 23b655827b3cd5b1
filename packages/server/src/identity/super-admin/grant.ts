import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { giveSuperAdmin } from '../auth/bootstrap.js'
import { dropStale } from '../stale.js'
import { findUser, superAdminsAmong } from '../user/record.js'
import { inEvidence, onSuperAdmin } from './change.js'

export const grantSuperAdmin = command({
  name: 'identity.super-admin.grant',
  summary: 'Make a person a system administrator',
  http: { method: 'post', path: '/admin/users/:id/superadmin' },
  ...onSuperAdmin,
  audit: ['admin.superadmin.grant'],
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, runtime } = context
    await lockRow(tx, 'organizations', SYSTEM_ORG_ID)
    const user = await findUser(tx, id)
    if ((await superAdminsAmong(tx, [id])).has(id)) return unchanged({ id, isSuperAdmin: true })
    if (!user.isActive) throw new Refusal('CONFLICT', 'the account is deactivated: activate it first')
    if (user.emailVerifiedAtMs === null)
      throw new Refusal(
        'CONFLICT',
        'the e-mail address of the account is not verified: its person confirms it first (`POST /auth/send-verification`)',
      )
    await giveSuperAdmin(tx, runtime, id)
    dropStale(context, { userId: id })
    await context.audit('admin.superadmin.grant', inEvidence(user))
    return changed({ id, isSuperAdmin: true })
  },
})
