/** Carries out the decision about a person who signed in with a provider: account, link, session. One transaction. */
import { and, eq, inArray } from 'drizzle-orm'
import {
  builtInRoleId,
  dropStale,
  hasFreeSeat,
  identityOf,
  insertMembership,
  insertUser,
  makeTokenSet,
  openSession,
  readStanding,
  type UserRow,
} from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { freeUsername } from '../free-username.js'
import { isActiveIn, isLinked } from '../link/decide.js'
import type { Identity } from '../oidc/judge.js'
import { SignInRefused } from '../oidc/reasons.js'
import { type LinkRow, type ProviderRow, ssoTables } from '../tables.js'

export type Entering = WriteContext<
  | 'identity.sso.login'
  | 'identity.sso.link'
  | 'identity.sso.refused'
  | 'org.idp.test'
  | 'org.role.member.add'
  | 'org.role.member.remove'
>

export interface Entered {
  readonly tokens: Awaited<ReturnType<typeof makeTokenSet>>
  readonly sessionId: string
}

type Came = Pick<Identity, 'issuer' | 'subject' | 'sid'>

/** A new session, confined to the organization. */
export async function enter(
  context: Entering,
  provider: ProviderRow,
  came: Came,
  who: { readonly userId: string; readonly isNew: boolean },
): Promise<Entered> {
  const { tx, runtime, request, nowMs } = context
  const { users } = identityTables(tx)
  const [user] = await tx.select().from(users).where(eq(users.id, who.userId))
  const standing = user === undefined ? null : await readStanding(tx, runtime.settings, user.id, provider.orgId)
  if (user === undefined || standing === null || !(await isActiveIn(tx, provider.orgId, user.id))) {
    throw new SignInRefused('inactive')
  }
  const parts = await openSession(tx, runtime, request, {
    user,
    standing,
    methods: ['sso'],
    by: {
      orgId: provider.orgId,
      providerId: provider.id,
      subject: came.subject,
      sid: came.sid,
      hours: provider.sessionHours,
    },
  })
  await tx.update(users).set({ lastActiveAtMs: nowMs }).where(eq(users.id, user.id))
  const { identityLinks: t } = ssoTables(tx)
  await tx
    .update(t)
    .set({ lastUsedAtMs: nowMs })
    .where(and(eq(t.providerId, provider.id), eq(t.userId, user.id)))
  await context.audit('identity.sso.login', {
    actor: actorOf(user, standing.role),
    orgId: provider.orgId,
    targetType: 'session',
    targetId: parts.session.id,
    details: { idpId: provider.id, isNew: who.isNew, confined: true },
  })
  return { tokens: await makeTokenSet(runtime, parts), sessionId: parts.session.id }
}

export const actorOf = (user: Pick<UserRow, 'id' | 'email'>, role: string | null) => ({
  id: user.id,
  email: user.email,
  role,
  impersonatorId: null,
})

/** Links an identity to an account. Afterwards the subject identifies the person, not the address. */
export async function insertLink(
  context: Entering,
  provider: Pick<ProviderRow, 'id' | 'orgId'>,
  { issuer, subject }: Pick<Came, 'issuer' | 'subject'>,
  userId: string,
  reason: 'address' | 'session' | 'mailbox' | 'new',
): Promise<void> {
  const { tx, runtime, nowMs } = context
  if (await isLinked(tx, provider.id, userId)) throw new SignInRefused('other-subject')
  const row: LinkRow = {
    id: runtime.ids.next(),
    orgId: provider.orgId,
    providerId: provider.id,
    issuer,
    subject,
    userId,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
  }
  if (!(await insertNew(tx, ssoTables(tx).identityLinks, row))) throw new SignInRefused('other-subject')
  await context.audit('identity.sso.link', {
    orgId: provider.orgId,
    targetType: 'user',
    targetId: userId,
    details: { idpId: provider.id, reason },
  })
}

/** Creates an account without a password, with a membership, a seat and the initial Roles. */
export async function createAccount(
  context: Entering,
  provider: ProviderRow,
  identity: Identity,
  to: { readonly email: string; readonly insteadOf: string | null },
): Promise<string> {
  const { tx, runtime } = context
  await checkSeat(context, provider)
  if (to.insteadOf !== null) await takeAddress(context, provider, to.insteadOf)
  const user = await insertUser(tx, runtime, {
    username: await freeUsername(tx, to.email),
    email: to.email,
    passwordHash: null,
    isEmailVerified: true,
  })
  await join(context, provider, user.id)
  await tx
    .update(identityTables(tx).users)
    .set({ activeOrgId: provider.orgId })
    .where(eq(identityTables(tx).users.id, user.id))
  await insertLink(context, provider, identity, user.id, 'new')
  return user.id
}

/** @throws SignInRefused */
export async function checkSeat(context: Entering, { orgId }: Pick<ProviderRow, 'orgId'>): Promise<void> {
  const { tx, runtime, nowMs } = context
  const isFree = await hasFreeSeat(tx, { rootOrgId: orgId, settings: runtime.settings, nowMs })
  // guard: who-comes-by-a-provider-takes-a-seat
  if (!isFree) throw new SignInRefused('seats')
}

export async function join(
  context: Pick<Entering, 'tx' | 'runtime'>,
  provider: ProviderRow,
  userId: string,
): Promise<void> {
  const { tx, runtime } = context
  const { roles } = identityTables(tx)
  const { orgId, defaultRoleIds } = provider
  const isIt = and(eq(roles.orgId, orgId), inArray(roles.id, [...defaultRoleIds]))
  const chosen = defaultRoleIds.length === 0 ? [] : await tx.select({ id: roles.id }).from(roles).where(isIt)
  const roleIds = [await builtInRoleId(tx, orgId, 'Member'), ...chosen.map(({ id }) => id)]
  await insertMembership(tx, runtime, { orgId, userId, roleIds })
  dropStale(context, { userId })
}

/**
 * Takes the address from an account that never proved it. The mailbox belongs to the organization that proved the
 * domain. The person who created the account keeps it without the address.
 */
export async function takeAddress(
  context: WriteContext<'identity.sso.link'>,
  provider: ProviderRow,
  userId: string,
): Promise<void> {
  const { tx } = context
  const { users } = identityTables(tx)
  await lockRow(tx, 'users', userId)
  const email = `released-${userId}@address.invalid`
  await tx.update(users).set({ email, emailKey: email, pendingEmail: null }).where(eq(users.id, userId))
  tx.afterCommit(() => identityOf(context).directory.drop({ userId }))
  await context.audit('identity.sso.link', {
    orgId: provider.orgId,
    targetType: 'user',
    targetId: userId,
    details: { idpId: provider.id, reason: 'the account never proved the address, and lost it' },
  })
}
