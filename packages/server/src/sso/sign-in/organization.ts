/** Finds the organization that a sign-in names, and the provider that serves it. */
import { and, eq, isNull } from 'drizzle-orm'
import { featuresOf, isNamed, type OrganizationRow } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { Refusal } from '../../runtime/errors.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { SignInRefused } from '../oidc/reasons.js'
import { type ProviderRow, ssoTables } from '../tables.js'

const nobodyHere = (): Refusal =>
  new Refusal(
    'NOT_FOUND',
    'no organization has single sign-on under this name: compare it with that of your organization',
  )

/** By id or slug. @throws Refusal 404, the same for an organization without sign-on and for one that does not exist. */
export async function signOnOf(
  db: Db,
  named: { readonly org: string; readonly providerId?: string | undefined },
): Promise<ProviderRow> {
  const { organizations } = identityTables(db)
  const { identityProviders: t } = ssoTables(db)
  const name = named.org.toLowerCase()
  const [org] = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(isNamed(organizations, name), isNull(organizations.deletedAtMs)))
  if (org === undefined) throw nobodyHere()
  const which = named.providerId === undefined ? eq(t.isDefault, true) : eq(t.id, named.providerId)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, org.id), eq(t.enabled, true), which))
  if (row === undefined) throw nobodyHere()
  return row
}

/**
 * `providerNow` under a lock until the end of the transaction, so that no session opens while the provider is being
 * disabled.
 */
export async function providerHeld(
  tx: Tx,
  settings: Settings,
  flow: { readonly orgId: string; readonly providerId: string; readonly revision: number; readonly kind: string },
): Promise<ProviderRow> {
  await lockRow(tx, 'organizations', flow.orgId)
  return providerNow(tx, settings, flow)
}

/** The current provider of a flow. @throws SignInRefused when it changed after the flow started. */
export async function providerNow(
  db: Db,
  settings: Settings,
  flow: { readonly providerId: string; readonly revision: number; readonly kind: string },
): Promise<ProviderRow> {
  const { identityProviders: t } = ssoTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, flow.providerId))
  // guard: a-provider-that-changed-meanwhile
  if (row === undefined || row.revision !== flow.revision) throw new SignInRefused('changed')
  if (!row.enabled && flow.kind !== 'test') throw new SignInRefused('disabled')
  const { organizations } = identityTables(db)
  const [org] = await db.select().from(organizations).where(eq(organizations.id, row.orgId))
  // guard: sign-on-is-for-who-has-the-feature
  if (org === undefined || !isServed(org, settings)) throw new SignInRefused('feature')
  return row
}

/**
 * Whether an organization signs in by its provider. One that enforces single sign-on and loses the feature does as
 * before, until the enforcement ends after 30 days.
 */
export const isServed = (org: OrganizationRow, settings: Settings): boolean =>
  org.deletedAtMs === null && (org.ssoEnforcedAtMs !== null || featuresOf(org, settings).has('sso'))
