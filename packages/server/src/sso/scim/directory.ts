/** The calling directory: the provider that it belongs to, and the shared parts of its operations. */
import { eq } from 'drizzle-orm'
import { DIRECTORY, lockAccount, provisioningTables } from '../../identity/index.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { fromHeader } from '../../runtime/operation/operation.js'
import { lacksFeature } from '../../runtime/operation/unlocking.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { ownUrl } from '../own-url.js'
import { type ProviderRow, ssoTables } from '../tables.js'
import { SCIM } from './dialect.js'

/** Shared by every operation of the protocol. */
export const BY_DIRECTORY = {
  access: scope('scim:provision'),
  tenant: fromHeader,
  dialect: SCIM,
  uncounted: 'what a directory keeps in step is not a call of the API',
  acrossOrganizations: 'a person belongs to the account, and leaves its teams with it',
} as const

export type Calling = Pick<ReadContext | WriteContext, 'principal' | 'authority' | 'runtime'>

/** @throws Refusal 401 when the provider was deleted after the token was checked. */
export async function providerOf(db: Db, context: Calling): Promise<ProviderRow> {
  const { principal } = context
  const tokenId = principal.kind === 'service' ? principal.clientId.slice(DIRECTORY.length) : ''
  const { scimTokens } = provisioningTables(db)
  const { identityProviders: t } = ssoTables(db)
  const [row] = await db
    .select({ provider: t, orgId: scimTokens.orgId })
    .from(scimTokens)
    .innerJoin(t, eq(t.id, scimTokens.providerId))
    .where(eq(scimTokens.id, tokenId))
  if (row === undefined) throw new Refusal('TOKEN_REVOKED', 'the SCIM token was deleted')
  if (row.orgId !== tenantId(context as ReadContext)) throw notFound('Organization')
  return row.provider
}

/** Locks the account for a change by its directory. @throws Refusal 401 when the token was deleted meanwhile. */
export async function lockForDirectory(context: Calling & { readonly tx: Tx }, orgId: string): Promise<void> {
  await lockAccount(context.tx, orgId)
  // guard: a-token-that-was-deleted-meanwhile-changes-nothing
  await providerOf(context.tx, context)
}

/** Adding people and groups needs the feature; removing access never does. @throws Refusal 403 */
export function checkFeature({ authority }: Calling): void {
  if (authority.org?.features.has('sso') !== true) throw lacksFeature('sso')
}

export interface Showing {
  readonly db: Db
  readonly orgId: string
  /** The address of a resource. */
  location(type: 'Users' | 'Groups', id: string): string
}

/** The database to read resources from, and how to address the resources that they name. */
export const showingOf = (db: Db, { runtime }: Calling, orgId: string): Showing => ({
  db,
  orgId,
  location: (type, id) => `${ownUrl(runtime)}${runtime.settings.BASE_PATH}/scim/v2/${type}/${id}`,
})
