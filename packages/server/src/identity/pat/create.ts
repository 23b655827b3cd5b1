/**
 * Creates a token for programs that act as the person. It is bound to one organization, and at each use it has at most
 * its owner's permissions. It cannot create tokens, step up or change credentials. Source: spec platform 4.3.
 */
import { and, eq, gt, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { PERMISSIONS, type Permission, signedIn, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { choice, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { isConfined } from '../../runtime/operation/session-kind.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { sessionOf } from '../authenticator.js'
import { credentialTables } from '../credential/tables.js'
import { checkDoor } from '../enforced-sign-on.js'
import { readStanding } from '../standing.js'
import { issuePersonalToken } from './issue.js'
import { PatView, patView } from './view.js'

const DAY_S = 86_400
const DEFAULT_S = 90 * DAY_S
const MAX_S = 365 * DAY_S
export const ACTIVE_MAX = 50

export const createPat = command({
  name: 'identity.pat.create',
  summary: 'Create a personal access token',
  http: { method: 'post', path: '/auth/pats', aliases: ['/user/pats'], status: 201 },
  access: withStepUp(signedIn()),
  tenant: noTenant,
  idempotent: true,
  secretOutput: true,
  audit: ['user.token.create'],
  input: {
    body: strictObject({
      name: name(1, 100),
      expiresIn: Type.Optional(
        Type.Integer({ minimum: 60, maximum: MAX_S, description: 'Seconds; 90 days when absent' }),
      ),
      permissions: Type.Optional(
        Type.Array(choice(PERMISSIONS), { minItems: 1, uniqueItems: true, maxItems: PERMISSIONS.length }),
      ),
      organizationId: Type.Optional(Uuid),
      bindToPassword: Type.Optional(Type.Boolean({ description: 'Ends with the next change of the password' })),
    }),
  },
  output: strictObject({ token: Type.String({ description: 'Shown only now' }), pat: PatView }),
  errors: ['ORG_MISMATCH', 'SSO_REQUIRED', 'CONFLICT'],
  async run(context, { body }) {
    const { tx, runtime, nowMs, authority } = context
    const { userId } = sessionOf(context.principal)
    const orgId = body.organizationId ?? authority.org?.id
    const standing = orgId === undefined ? null : await readStanding(tx, runtime.settings, userId, orgId)
    if (standing === null) throw new Refusal('ORG_MISMATCH', 'must be an organization that you are an active member of')
    await checkDoor(context, standing)
    const isMemberOnly = isConfined(context.principal) && standing.isSuperAdmin
    // A token with all permissions of its owner would include system administration.
    // guard: a-token-of-a-confined-session-holds-what-a-member-does
    const held = isMemberOnly ? standing.asMember.permissions : standing.permissions
    const permissions: readonly Permission[] | null = body.permissions ?? (isMemberOnly ? [...held] : null)
    const exceeds = permissions?.filter((name) => !held.has(name)) ?? []
    // guard: the-ceiling-of-a-personal-token
    if (exceeds.length > 0) {
      throw insufficient('ceiling', `you lack ${exceeds.join(', ')} there`, { exceeds })
    }
    // Under the lock of the owner's row, so that concurrent requests cannot exceed the limit together.
    await lockRow(tx, 'users', userId)
    const { personalAccessTokens: table } = credentialTables(tx)
    const isActive = and(eq(table.userId, userId), isNull(table.revokedAtMs), gt(table.expiresAtMs, nowMs))
    if ((await tx.$count(table, isActive)) >= ACTIVE_MAX) {
      throw new Refusal('CONFLICT', `you have ${ACTIVE_MAX} active tokens: revoke one first`)
    }
    const { token, row } = await issuePersonalToken(tx, runtime, {
      orgId: standing.org.id,
      userId,
      name: body.name,
      expiresInSeconds: body.expiresIn ?? DEFAULT_S,
      permissions,
      bindToPassword: body.bindToPassword ?? false,
    })
    await context.audit('user.token.create', {
      orgId: row.orgId,
      targetType: 'personal-access-token',
      targetId: row.id,
      details: { id: row.id, name: row.name },
    })
    return changed({ token, pat: patView(row) })
  },
})
