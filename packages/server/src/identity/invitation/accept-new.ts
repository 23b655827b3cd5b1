import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalid, Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { passwordIssues } from '../credential/password-policy.js'
import { insertUser, Password, Username } from '../new-user.js'
import { invitationPath } from '../paths.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { GONE, opened, Token } from './open.js'
import { checkPending } from './record.js'
import { Joined, joined, useInvitation } from './use.js'

/**
 * `POST /invitation/accept-new`: registers and joins in one step, without creating an organization of the person's own.
 */
export const acceptInvitationNew = command({
  name: 'identity.invitation.accept-new',
  summary: 'Accept an invitation with a new account',
  http: { method: 'post', ...invitationPath('/accept-new'), status: 201 },
  access: anyone(),
  tenant: noTenant,
  audit: ['user.register', 'invitation.accept'],
  rateLimit: 'auth',
  input: { body: strictObject({ token: Token, username: Username, password: Password }) },
  output: strictObject({
    user: strictObject({ id: Uuid, username: Type.String(), email: Type.String(), isEmailVerified: Type.Boolean() }),
    ...Joined.properties,
  }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'REGISTRATION_CLOSED', 'SEAT_LIMIT', 'SERVICE_UNAVAILABLE', ...GONE],
  async prepare(context, { body: { token, username, password } }) {
    const { settings } = context.runtime
    if (settings.REGISTRATION === 'closed')
      throw new Refusal('REGISTRATION_CLOSED', 'this server does not accept new accounts')
    // Checked before the costly hash, and again in the transaction.
    const { row } = await context.read((db) => opened(db, token))
    checkPending(row, context.nowMs)
    const owner = { username, email: row.email }
    const issues = passwordIssues(password, owner, settings.PASSWORD_MIN_LENGTH, '/body/password')
    if (issues.length > 0) throw invalid(issues)
    return {
      passwordHash: await identityOf(context).passwords.hash(password, { ip: context.request.ip, isKnown: true }),
    }
  },
  async run(context, { body: { token, username } }, { passwordHash }) {
    const { tx, runtime } = context
    let account: Awaited<ReturnType<typeof insertUser>> | undefined
    const done = await useInvitation(context, token, async ({ email, sentByMail }) => {
      // A link that the inviter saw proves nothing about the mailbox.
      account = await insertUser(tx, runtime, {
        username,
        email,
        passwordHash,
        isEmailVerified: sentByMail,
        isPasswordProved: sentByMail,
      })
      return account.id
    })
    if (account === undefined) throw new Error('the invitation was used without an account')
    const { users } = identityTables(tx)
    await tx.update(users).set({ activeOrgId: done.org.id }).where(eq(users.id, account.id))
    const by = {
      actor: { id: account.id, email: account.email, role: done.row.role, impersonatorId: null },
      orgId: done.org.id,
    }
    await context.audit('user.register', {
      ...by,
      targetType: 'user',
      targetId: account.id,
      details: { name: account.username, email: account.email },
    })
    await context.audit('invitation.accept', {
      ...by,
      targetType: 'invitation',
      targetId: done.row.id,
      details: { email: done.row.email, role: done.row.role },
    })
    const user = {
      id: account.id,
      username: account.username,
      email: account.email,
      isEmailVerified: account.emailVerifiedAtMs !== null,
    }
    return changed({ user, ...joined(done) })
  },
})
