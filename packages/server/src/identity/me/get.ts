/** The caller: the account, the active organization, the memberships, and the rights there. */
import { and, asc, eq, isNull, type Placeholder } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { openToNarrowed, signedIn } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { isConfined } from '../../runtime/operation/session-kind.js'
import { changesOnlyOwn } from '../../runtime/records/catalog.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { findOrganization } from '../account/row.js'
import { actingUser } from '../actor.js'
import { confirmedFactor } from '../mfa/factor.js'
import type { UserRow } from '../new-user.js'
import { identityTables } from '../tables.js'

export const MeUser = strictObject({
  id: Uuid,
  username: Type.String(),
  email: Type.String(),
  pendingEmail: nullable(Type.String()),
  isEmailVerified: Type.Boolean(),
  mustChangePassword: Type.Boolean(),
  mfaEnabled: Type.Boolean(),
  isSuperAdmin: Type.Boolean(),
  createdAt: Instant,
  lastActiveAt: nullable(Instant),
})

export const meUser = (user: UserRow, mfaEnabled: boolean, isSuperAdmin: boolean) => ({
  id: user.id,
  username: user.username,
  email: user.email,
  pendingEmail: user.pendingEmail,
  isEmailVerified: user.emailVerifiedAtMs !== null,
  mustChangePassword: user.mustChangePassword,
  mfaEnabled,
  isSuperAdmin,
  createdAt: toIso(user.createdAtMs),
  lastActiveAt: toIsoOrNull(user.lastActiveAtMs),
})

const Role = nullable(Type.Enum(['owner', 'admin', 'member']))

export const getMe = query({
  name: 'identity.me.get',
  summary: 'Get your account, memberships and permissions',
  description:
    '`confinedTo` is the organization whose identity provider opened the session, and can confirm your identity; null for other sessions. `closedBy` is the organization whose single sign-on the session lacks: `organization` is null then, and `POST /auth/sso/:orgId/attach` opens it.',
  http: { method: 'get', path: '/auth/me' },
  duringPasswordChange: true,
  access: openToNarrowed('any', signedIn()),
  tenant: noTenant,
  input: {},
  output: strictObject({
    user: MeUser,
    organization: nullable(
      strictObject({
        id: Uuid,
        name: Type.String(),
        slug: Type.String(),
        tier: Type.String(),
        role: Role,
        changes: Type.Enum(['all', 'own'], {
          description: 'Which pipelines and plugins you may change: all, or what you or your teams own',
        }),
      }),
    ),
    memberships: Type.Array(
      strictObject({
        organizationId: Uuid,
        name: Type.String(),
        slug: Type.String(),
        parentOrgId: nullable(Uuid),
        role: Type.Enum(['owner', 'admin', 'member']),
        isActive: Type.Boolean(),
        joinedAt: Instant,
      }),
    ),
    permissions: Type.Array(Type.String()),
    features: Type.Array(Type.String()),
    tier: nullable(Type.String()),
    confinedTo: nullable(Uuid),
    closedBy: nullable(strictObject({ id: Uuid, slug: Type.String() })),
  }),
  errors: ['NOT_FOUND'],
  async run(context) {
    const { db, authority } = context
    const userId = actingUser(context)
    const [user] = await userOf(db, { userId })
    if (user === undefined) throw notFound('User')
    const { org, role, permissions, isSuperAdmin } = authority
    return {
      user: meUser(user, (await confirmedFactor(db, userId)) !== null, isSuperAdmin),
      organization: org && {
        id: org.id,
        name: org.name,
        slug: org.slug,
        tier: org.tier,
        role,
        changes: changesOnlyOwn(context) ? ('own' as const) : ('all' as const),
      },
      memberships: await membershipsOf(db, userId, boundOrgOf(context.principal), isConfined(context.principal)),
      permissions: [...permissions].sort(),
      features: [...(org?.features ?? [])].sort(),
      tier: org?.tier ?? null,
      confinedTo: isConfined(context.principal) ? boundOrgOf(context.principal) : null,
      closedBy: await closedBy(context),
    }
  },
})

async function closedBy({
  db,
  authority,
}: ReadContext): Promise<{ readonly id: string; readonly slug: string } | null> {
  if (authority.closedBy === undefined) return null
  const org = await findOrganization(db, authority.closedBy)
  return org && { id: org.id, slug: org.slug }
}

/** A personal access token sees its own organization only. */
const boundOrgOf = (principal: { readonly kind: string; readonly boundOrgId?: string | null }): string | null =>
  principal.boundOrgId ?? null

const userOf = prepared((db, value: (name: 'userId') => Placeholder) => {
  const { users } = identityTables(db)
  return db
    .select()
    .from(users)
    .where(eq(users.id, value('userId')))
})

/** A row for each membership and each built-in Role that is held there. */
const membershipRows = prepared((db, value: (name: 'userId') => Placeholder) => {
  const { memberships, organizations, roles, roleAssignments } = identityTables(db)
  return db
    .select({
      org: {
        id: organizations.id,
        name: organizations.name,
        slug: organizations.slug,
        parentOrgId: organizations.parentOrgId,
        rootOrgId: organizations.rootOrgId,
        ownerId: organizations.ownerId,
      },
      isActive: memberships.isActive,
      joinedAtMs: memberships.joinedAtMs,
      level: roles.grantsLevel,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .leftJoin(
      roleAssignments,
      and(eq(roleAssignments.orgId, memberships.orgId), eq(roleAssignments.userId, memberships.userId)),
    )
    .leftJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.builtIn, true)))
    .where(and(eq(memberships.userId, value('userId')), isNull(organizations.deletedAtMs)))
    .orderBy(asc(memberships.joinedAtMs), asc(memberships.id))
})

/** @param onlyOrgId The only organization that the caller may see, with its teams where `withTeams` is set. */
async function membershipsOf(db: Db, userId: string, onlyOrgId: string | null, withTeams: boolean) {
  const all = await membershipRows(db, { userId })
  const rows = all.filter(
    ({ org }) => onlyOrgId === null || org.id === onlyOrgId || (withTeams && org.rootOrgId === onlyOrgId),
  )
  // One row per built-in Role, because a person may hold both Admin and Member.
  const admins = new Set(
    rows.flatMap(({ org, level }) => (level === 'admin' || level === 'superadmin' ? [org.id] : [])),
  )
  const first = rows.filter(({ org }, at) => rows.findIndex((each) => each.org.id === org.id) === at)
  return first.map(({ org, isActive, joinedAtMs }) => ({
    organizationId: org.id,
    name: org.name,
    slug: org.slug,
    parentOrgId: org.parentOrgId,
    role: org.ownerId === userId ? ('owner' as const) : admins.has(org.id) ? ('admin' as const) : ('member' as const),
    isActive,
    joinedAt: toIso(joinedAtMs),
  }))
}
