/** Stores a provider, for the operations that create, replace and change one. */
import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import { dropGroups, endVouched, type FOLLOWING, grantableRoles } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { notFound } from '../../runtime/errors.js'
import { changed, type Outcome, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { ownUrl } from '../own-url.js'
import { checkPlace } from '../place.js'
import { secretPurpose, ssoOf } from '../services.js'
import { type ProviderRow, ssoTables } from '../tables.js'
import { checkIssuer } from './check.js'
import {
  type ChangedProvider,
  findProvider,
  nameTaken,
  type ProviderBody,
  type ProviderChange,
  providerRecord,
  providersOf,
} from './record.js'

export type Writing = WriteContext<'admin.org-idp.upsert'>
export type Removing = WriteContext<'admin.org-idp.delete' | (typeof FOLLOWING)[number]>

type Facts = Omit<
  ProviderRow,
  | 'id'
  | 'orgId'
  | 'isDefault'
  | 'sealedSecret'
  | 'revision'
  | 'groupsRevision'
  | 'testedBy'
  | 'testedAtMs'
  | 'testedRevision'
  | 'createdAtMs'
  | 'updatedAtMs'
>

const UNSAID = {
  name: 'default',
  alg: 'RS256',
  scopes: ['email', 'profile'],
  groupsClaim: null,
  enabled: true,
  jit: true,
  trustEmail: false,
  amr: [],
  sessionHours: 12,
  defaultRoleIds: [],
} as const

function factsOf(body: ProviderChange, before: Omit<Facts, 'nameKey'>): Facts {
  const { clientSecret: _, ...said } = body
  const facts = { ...before, ...said }
  return { ...facts, nameKey: nameKey(facts.name) }
}

async function check(context: Writing, body: ProviderChange): Promise<string> {
  const { authority, runtime, tx } = context
  const orgId = tenantId(context)
  if (authority.org !== null) checkPlace(authority.org)
  if (body.issuer !== undefined) checkIssuer(runtime, body.issuer)
  // guard: nobody-gives-by-a-provider-what-they-lack
  await grantableRoles(tx, authority, orgId, body.defaultRoleIds ?? [], '/body/defaultRoleIds')
  await lockRow(tx, 'organizations', orgId)
  return orgId
}

const seal = (context: Writing, id: string, secret: string | null): string | null =>
  secret === null ? null : ssoOf(context.runtime).box().seal(secret, secretPurpose(id))

export async function insertProvider(context: Writing, body: ProviderBody): Promise<ProviderRow> {
  const { tx, runtime, nowMs } = context
  const orgId = await check(context, body)
  const others = await providersOf(tx, orgId)
  await capacityOf(runtime).take(tx, orgId, 'idpConfigs', 1)
  const id = runtime.ids.next()
  const row: ProviderRow = {
    id,
    orgId,
    ...factsOf(body, { ...UNSAID, scopes: [...UNSAID.scopes], amr: [], defaultRoleIds: [], issuer: '', clientId: '' }),
    // The first provider is the default, no matter which route created it.
    isDefault: others.length === 0,
    sealedSecret: seal(context, id, body.clientSecret ?? null),
    revision: 1,
    groupsRevision: 1,
    testedBy: null,
    testedAtMs: null,
    testedRevision: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  if (!(await insertNew(tx, ssoTables(tx).identityProviders, row))) throw nameTaken()
  await tell(context, row)
  return row
}

/** @param body of a replacement or a change; an omitted secret stays. */
export async function changeProvider(
  context: Writing,
  found: ProviderRow,
  body: ProviderChange,
  isReplacement: boolean,
): Promise<Outcome<ChangedProvider>> {
  const { tx, nowMs } = context
  const orgId = await check(context, body)
  const { identityProviders: t } = ssoTables(tx)
  const [before] = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.id, found.id)))
  if (before === undefined) throw notFound('Identity provider')
  context.checkRevision(before.revision)
  const { issuer, clientId, name } = before
  const base = isReplacement
    ? { ...UNSAID, scopes: [...UNSAID.scopes], amr: [], defaultRoleIds: [], issuer, clientId, name }
    : before
  const facts = factsOf(body, base)
  // A secret is never compared: one that is sent is a new one.
  const isSame = body.clientSecret === undefined || (body.clientSecret === null && before.sealedSecret === null)
  // guard: a-change-of-nothing-keeps-the-revision
  if (isSame && isDeepStrictEqual({ ...before, ...facts }, before)) return unchanged(await answerOf(context, before))
  const row: ProviderRow = {
    ...before,
    ...facts,
    sealedSecret: body.clientSecret === undefined ? before.sealedSecret : seal(context, before.id, body.clientSecret),
    revision: before.revision + 1,
    updatedAtMs: nowMs,
  }
  const others = (await providersOf(tx, orgId)).filter(({ id }) => id !== row.id)
  if (others.some(({ nameKey: key }) => key === row.nameKey)) throw nameTaken()
  await tx
    .update(t)
    .set(row)
    .where(and(eq(t.orgId, orgId), eq(t.id, row.id)))
  // guard: a-provider-that-is-off-vouches-for-nobody
  if (!stillVouches(before, row)) await endVouched(context, row.id, null)
  // An identity of the former issuer cannot come any more, and would keep its person from being linked to the new one. Many
  // providers have other subjects for each client, too.
  // guard: identities-of-a-former-client-are-forgotten
  if (issuer !== row.issuer || clientId !== row.clientId) await forgetIdentities(context, row)
  await tell(context, row)
  return changed(await answerOf(context, row))
}

/**
 * An organization that enforces stays closed whatever its provider becomes, so that a broken one can be repaired. Who
 * changes it is told that nobody has signed in by it since.
 */
export async function answerOf({ tx, runtime }: Writing, row: ProviderRow): Promise<ChangedProvider> {
  const { organizations: t } = identityTables(tx)
  const [org] = await tx.select({ enforcedAtMs: t.ssoEnforcedAtMs }).from(t).where(eq(t.id, row.orgId))
  const provider = providerRecord(row, ownUrl(runtime))
  // guard: who-changes-an-enforced-provider-is-told
  const isUntested = org?.enforcedAtMs != null && row.enabled && provider.test?.isCurrent !== true
  return { provider, warnings: isUntested ? [UNTESTED] : [] }
}

const UNTESTED = {
  code: 'PROVIDER_UNTESTED',
  message:
    'the organization requires single sign-on, and nobody has tested these settings: test the provider now, or its members cannot sign in',
} as const

/**
 * A provider that is disabled, or that was replaced by another one under the same name, does not vouch for earlier
 * sessions any more.
 */
const stillVouches = (before: ProviderRow, { enabled, issuer, clientId }: ProviderRow): boolean =>
  enabled && issuer === before.issuer && clientId === before.clientId

async function tell(context: Writing, { id, name, issuer, enabled }: ProviderRow): Promise<void> {
  await context.audit('admin.org-idp.upsert', {
    targetType: 'identity-provider',
    targetId: id,
    details: { name, issuer, enabled },
  })
}

async function forgetIdentities({ tx }: Pick<Writing, 'tx'>, of: Pick<ProviderRow, 'id' | 'orgId'>): Promise<void> {
  const { identityLinks: t } = ssoTables(tx)
  await tx.delete(t).where(and(eq(t.orgId, of.orgId), eq(t.providerId, of.id)))
}

/**
 * The oldest of the remaining providers becomes the default. @param providerId null for the default one. It is read
 * under the lock: another removal may just have made it the default.
 */
export async function removeProvider(context: Removing, providerId: string | null): Promise<void> {
  const { tx } = context
  const orgId = tenantId(context)
  await lockRow(tx, 'organizations', orgId)
  const { id, name, isDefault, revision } = await findProvider(tx, orgId, providerId)
  context.checkRevision(revision)
  const { identityProviders: t } = ssoTables(tx)
  await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.id, id)))
  await forgetIdentities(context, { id, orgId })
  // guard: a-provider-that-is-gone-vouches-for-nobody
  await endVouched(context, id, null)
  await dropGroups(context, { id, orgId })
  const [next] = await providersOf(tx, orgId)
  if (isDefault && next !== undefined) {
    await tx
      .update(t)
      .set({ isDefault: true })
      .where(and(eq(t.orgId, orgId), eq(t.id, next.id)))
  }
  await context.audit('admin.org-idp.delete', { targetType: 'identity-provider', targetId: id, details: { name } })
}

export const SETTING_UP = {
  audit: ['admin.org-idp.upsert'],
  acrossOrganizations: 'places of identity providers are counted over the account',
} as const
