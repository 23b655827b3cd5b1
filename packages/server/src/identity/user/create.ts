/** Creates an account; the person sets its password by a link. */
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { Email, insertUser, Username } from '../new-user.js'
import { inviteToSetPassword, Sent } from './invite.js'
import { UserRecord, userRecord } from './record.js'

export const createUser = command({
  name: 'identity.user.create',
  summary: 'Create an account; the person sets the password by a link',
  http: { method: 'post', path: '/admin/users', status: 201 },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['admin.user.create'],
  idempotent: true,
  secretOutput: true,
  input: { body: strictObject({ username: Username, email: Email }) },
  output: strictObject({ user: UserRecord, ...Sent }),
  errors: ['DUPLICATE_ENTRY'],
  async run(context, { body }) {
    const row = await insertUser(context.tx, context.runtime, { ...body, passwordHash: null })
    const sent = await inviteToSetPassword(context, row)
    await context.audit('admin.user.create', { targetType: 'user', targetId: row.id, details: { name: row.username } })
    return changed({ user: userRecord(row, false), ...sent })
  },
})
