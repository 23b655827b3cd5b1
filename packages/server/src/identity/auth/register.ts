/**
 * Registers an account: the person, their first organization with its built-in Roles, membership and ownership, in one
 * transaction.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalid, Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { checkName } from '../account/reserved-name.js'
import { passwordIssues } from '../credential/password-policy.js'
import { Email, insertUser, Password, Username } from '../new-user.js'
import { insertOrganization } from '../organization/insert.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { sendVerification } from './verification-mail.js'

export const register = command({
  name: 'identity.auth.register',
  summary: 'Create an account with its own organization',
  http: { method: 'post', path: '/auth/register', status: 201 },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: ['user.register', 'org.create'],
  input: {
    body: strictObject({
      username: Username,
      email: Email,
      password: Password,
      organizationName: Type.Optional(name(2, 100)),
      planId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    }),
  },
  output: strictObject({
    user: strictObject({
      id: Uuid,
      username: Type.String(),
      email: Type.String(),
      isEmailVerified: Type.Boolean(),
    }),
    organization: strictObject({
      id: Uuid,
      name: Type.String(),
      slug: Type.String(),
      tier: Type.String(),
      role: Type.Literal('owner'),
    }),
  }),
  errors: ['REGISTRATION_CLOSED', 'RESERVED_ORG', 'DUPLICATE_ENTRY', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  async prepare(context, { body }) {
    const { settings } = context.runtime
    if (settings.REGISTRATION !== 'open') {
      throw new Refusal(
        'REGISTRATION_CLOSED',
        settings.REGISTRATION === 'invite'
          ? 'accounts are created only by invitation'
          : 'this server does not accept new accounts',
      )
    }
    const issues = passwordIssues(body.password, body, settings.PASSWORD_MIN_LENGTH, '/body/password')
    if (issues.length > 0) throw invalid(issues)
    // The reserved name is refused to everyone: an exception for some addresses would reveal who owns them.
    checkName(body.organizationName ?? body.username)
    return { passwordHash: await identityOf(context).passwords.hash(body.password, { ip: context.request.ip }) }
  },
  async run(context, { body }, { passwordHash }) {
    const { tx, runtime } = context
    const { users } = identityTables(tx)
    const user = await insertUser(tx, runtime, { username: body.username, email: body.email, passwordHash })
    const org = await insertOrganization(tx, runtime, {
      name: body.organizationName ?? body.username,
      ownerId: user.id,
    })
    await tx.update(users).set({ activeOrgId: org.id }).where(eq(users.id, user.id))
    await sendVerification(context, { userId: user.id, username: user.username, email: user.email })
    const by = {
      actor: { id: user.id, email: user.email, role: 'owner', impersonatorId: null },
      orgId: org.id,
    }
    await context.audit('user.register', {
      ...by,
      targetType: 'user',
      targetId: user.id,
      details: { name: user.username, email: user.email },
    })
    await context.audit('org.create', {
      ...by,
      targetType: 'organization',
      targetId: org.id,
      details: { name: org.name },
    })
    return changed({
      user: { id: user.id, username: user.username, email: user.email, isEmailVerified: false },
      organization: { id: org.id, name: org.name, slug: org.slug, tier: org.tier, role: 'owner' as const },
    })
  },
})
