/**
 * Finds the account of a social account, or creates one for a new person. The subject is the key; an address never
 * links anything.
 */
import { and, eq } from 'drizzle-orm'
import {
  afterFirstFactor,
  credentialTables,
  foldKey,
  insertOrganization,
  insertUser,
  isReservedName,
  type keepAs,
  lockoutKey,
  type TokenSet,
  type UserRow,
} from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { Refusal } from '../../runtime/errors.js'
import type { Outcome, WriteContext } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { freeUsername } from '../free-username.js'
import { SignInRefused } from '../oidc/reasons.js'
import type { SocialPerson } from './person.js'

export const SOCIAL_ACTIONS = [
  'user.login',
  'user.login.failed',
  'user.lockout',
  'admin.superadmin.grant',
  'auth.break-glass',
  'user.register',
  'org.create',
  'identity.sso.link',
  'identity.sso.refused',
] as const
export type SocialContext = WriteContext<(typeof SOCIAL_ACTIONS)[number]>

export async function linkedUser(db: Db, provider: string, person: SocialPerson): Promise<UserRow | null> {
  const { socialLinks: t } = credentialTables(db)
  const { users } = identityTables(db)
  // guard: a-social-link-is-by-issuer-and-subject
  const isIt = and(eq(t.provider, provider), eq(t.issuer, person.issuer), eq(t.subject, person.subject))
  const [row] = await db.select({ user: users }).from(t).innerJoin(users, eq(users.id, t.userId)).where(isIt)
  return row?.user ?? null
}

/** @throws Refusal 409 when either side is already linked to another; the transaction then rolls back. */
export async function insertSocialLink(
  context: Pick<SocialContext, 'tx' | 'runtime' | 'nowMs'> & { audit: SocialContext['audit'] },
  provider: string,
  person: SocialPerson,
  user: Pick<UserRow, 'id' | 'activeOrgId'>,
): Promise<void> {
  const { tx, runtime, nowMs } = context
  const row = {
    id: runtime.ids.next(),
    userId: user.id,
    provider,
    issuer: person.issuer,
    subject: person.subject,
    email: person.email,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
  }
  if (!(await insertNew(tx, credentialTables(tx).socialLinks, row))) {
    throw new Refusal('CONFLICT', 'one of the two accounts is linked to another already: unlink that first')
  }
  await context.audit('identity.sso.link', {
    orgId: user.activeOrgId,
    targetType: 'user',
    targetId: user.id,
    details: { provider, reason: 'social' },
  })
}

/**
 * The linked person, else a new account. @throws Refusal 409 for an address that already has an account; SignInRefused.
 */
export async function personHere(context: SocialContext, provider: string, person: SocialPerson): Promise<UserRow> {
  const { tx, runtime, nowMs } = context
  const linked = await linkedUser(tx, provider, person)
  if (linked !== null) {
    if (!linked.isActive) throw new SignInRefused('inactive')
    const { socialLinks: t } = credentialTables(tx)
    const isIt = and(eq(t.userId, linked.id), eq(t.provider, provider))
    await tx.update(t).set({ lastUsedAtMs: nowMs }).where(isIt)
    return linked
  }
  const { email } = person
  // guard: a-social-account-without-a-verified-address-opens-none
  if (email === null) throw new SignInRefused('no-email')
  const { users } = identityTables(tx)
  const [known] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailKey, foldKey(email)))
  // guard: a-social-account-is-never-linked-by-its-address
  if (known !== undefined) throw addressKnown()
  if (runtime.settings.REGISTRATION !== 'open') {
    throw new Refusal('REGISTRATION_CLOSED', 'this server does not accept new accounts: ask for an invitation')
  }
  return newAccount(context, provider, person, email)
}

export const addressKnown = (): Refusal =>
  new Refusal(
    'DUPLICATE_ENTRY',
    'an account has this address: sign in to it, then link the other one in your settings',
    {
      details: { field: 'email' },
    },
  )

async function newAccount(
  context: SocialContext,
  provider: string,
  person: SocialPerson,
  email: string,
): Promise<UserRow> {
  const { tx, runtime } = context
  const { users } = identityTables(tx)
  const username = await freeUsername(tx, email)
  const user = await insertUser(tx, runtime, { username, email, passwordHash: null, isEmailVerified: true })
  const name = isReservedName(username) ? `Organization of ${username}` : username
  const org = await insertOrganization(tx, runtime, { name, ownerId: user.id })
  await tx.update(users).set({ activeOrgId: org.id }).where(eq(users.id, user.id))
  const by = { actor: { id: user.id, email, role: 'owner', impersonatorId: null }, orgId: org.id }
  await context.audit('user.register', {
    ...by,
    targetType: 'user',
    targetId: user.id,
    details: { name: username, email },
  })
  await context.audit('org.create', {
    ...by,
    targetType: 'organization',
    targetId: org.id,
    details: { name: org.name },
  })
  const now = { ...user, activeOrgId: org.id }
  await insertSocialLink(context, provider, person, now)
  return now
}

/** Asks for the second factor if there is one, then opens the session. */
export const socialSession = (
  context: SocialContext,
  user: UserRow,
  keep: ReturnType<typeof keepAs>,
): Promise<Outcome<TokenSet>> =>
  afterFirstFactor(context, {
    user,
    lock: lockoutKey('login-user', user.id),
    organizationId: null,
    methods: ['social'],
    keep,
  })
