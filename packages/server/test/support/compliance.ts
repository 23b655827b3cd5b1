/** An app with organizations and compliance, people who may write rules, and records for rules. */
import type { Feature } from '@plumbline/billing-core'
import { entityKeyOf, entityKeyText, type Target } from '@plumbline/engine'
import { eq } from 'drizzle-orm'
import { ruleLibrary } from '../../src/compliance/entitlement/library.js'
import { COMPLIANCE_NOTIFICATIONS } from '../../src/compliance/notice/text.js'
import { complianceOperations } from '../../src/compliance/operations.js'
import { complianceRegistration } from '../../src/compliance/registration.js'
import { identityRegistration } from '../../src/identity/registration.js'
import { identityTables } from '../../src/identity/tables.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { NOTIFICATION_OPERATIONS } from '../../src/notification/operations.js'
import { wantsWarnings } from '../../src/notification/preference/record.js'
import { notificationRegistration } from '../../src/notification/registration.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { type Entity, type EntityFilter, type EntitySource, wantedOf } from '../../src/runtime/inventory.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import { notificationPort, notificationsOf } from '../../src/runtime/records/notification.js'
import { ruleLibraryPort } from '../../src/runtime/records/rule-library.js'
import type { Store } from '../../src/runtime/store/db.js'
import { enrol, organizationApp, superAdmin } from './organizations.js'
import { type Answer, type AppSetup, type CallOptions, type IdentityApp, type SignedIn, signUp } from './sign-in.js'

export interface ComplianceApp {
  readonly app: IdentityApp
  readonly store: Store
  readonly root: SignedIn
  /** Stored records by organization, target and id, for code that reads the inventory. */
  readonly inventory: Map<string, Entity>
  /** Sends a request in the organization of the person, unless another one is given. */
  call(as: SignedIn | string, method: string, path: string, body?: unknown, more?: CallOptions): Promise<Answer>
  /** Publishes a rule as the system organization. */
  publish(body: object): Promise<Answer>
}

/** A rule that plugins with the version `latest` violate. */
export const noLatest = (name = 'no latest', more: object = {}) => ({
  name,
  target: 'plugin',
  field: 'version',
  operator: 'neq',
  value: 'latest',
  ...more,
})

export const recordKey = (orgId: string, target: Target, id: string): string => `${orgId}/${target}/${id}`

function sourceOver(inventory: Map<string, Entity>, target: Target): EntitySource {
  const all = (orgId: string): Entity[] =>
    [...inventory]
      .filter(([key]) => key.startsWith(recordKey(orgId, target, '')))
      .map(([, entity]) => entity)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    target,
    read: async (_db, orgId, id) => inventory.get(recordKey(orgId, target, id)) ?? null,
    page: async (_db, orgId, { afterId, limit, filter, offset = 0, order = 'asc' }) => {
      const found = all(orgId).filter((entity) => entity.id > afterId && isWanted(entity, filter))
      return (order === 'asc' ? found : found.reverse()).slice(offset, offset + limit)
    },
    count: async (_db, orgId, filter) => all(orgId).filter((entity) => isWanted(entity, filter)).length,
    idOfKey: async (_db, orgId, key) =>
      all(orgId).find(({ attributes }) => textOf(target, attributes) === entityKeyText(key))?.id ?? null,
    find: async (_db, orgId, wanted) =>
      wantedOf(
        all(orgId).flatMap(({ id, name, attributes }) => {
          const key = entityKeyOf(target, attributes)
          return key === null ? [] : [{ id, name, key }]
        }),
        wanted,
      ),
  }
}

const textOf = (target: Target, attributes: Entity['attributes']): string | null => {
  const key = entityKeyOf(target, attributes)
  return key === null ? null : entityKeyText(key)
}

const isWanted = ({ id, name, attributes }: Entity, filter: EntityFilter = {}): boolean =>
  (filter.entityIds?.includes(id) ?? true) &&
  (filter.name === undefined || name.toLowerCase().includes(filter.name.toLowerCase())) &&
  (filter.accessModifier === undefined || attributes['accessModifier'] === filter.accessModifier) &&
  (filter.isDefault === undefined || attributes['isDefault'] === filter.isDefault)

export async function complianceApp(store: Store, setup: AppSetup = {}): Promise<ComplianceApp> {
  const app = await organizationApp(store, {
    operations: [...TENANT_OPERATIONS, ...complianceOperations, ...NOTIFICATION_OPERATIONS],
    domains: [identityRegistration, complianceRegistration, notificationRegistration],
    ...setup,
  })
  const inventory = new Map<string, Entity>()
  const entities = (['plugin', 'pipeline'] as const).map((target) => sourceOver(inventory, target))
  Object.assign(app.runtime as Runtime, { entities })
  app.ports
    .set(ruleLibraryPort, ruleLibrary)
    .set(notificationPort, { wantsWarnings })
    .set(notificationsOf('compliance'), COMPLIANCE_NOTIFICATIONS)
  const root = await superAdmin(app, 'root')
  const call: ComplianceApp['call'] = (as, method, path, body, more = {}) =>
    app.call(method, `/compliance${path}`, {
      as,
      ...(body === undefined ? {} : { body }),
      ...more,
      headers: { ...(typeof as === 'string' ? {} : { 'x-org-id': as.orgId }), ...more.headers },
    })
  return {
    app,
    store,
    root,
    inventory,
    call,
    publish: (body) =>
      call(root, 'POST', '/rules', { scope: 'published', ...body }, { headers: { 'x-org-id': SYSTEM_ORG_ID } }),
  }
}

/** A team of the person's organization. @returns the person, acting in the team. */
export async function teamOf({ app }: ComplianceApp, owner: SignedIn, name: string): Promise<SignedIn> {
  const made = await app.call('POST', '/organization', {
    as: owner,
    headers: { 'x-org-id': owner.orgId },
    body: { name, parentOrgId: owner.orgId },
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return { ...owner, orgId: made.data.organization.id }
}

/** A new member of the person's organization. @returns the member, acting in that organization. */
export const memberOf = async (
  { app }: ComplianceApp,
  { orgId }: Pick<SignedIn, 'orgId'>,
  name: string,
  roles?: readonly ('Admin' | 'Member')[],
): Promise<SignedIn> => ({ ...(await enrol(app, await signUp(app, name), orgId, roles)), orgId })

/** Gives an organization features of add-ons. They only have an effect if `BILLING_ENABLED` is `true`. */
export async function unlock(
  { app }: ComplianceApp,
  orgId: string,
  features: readonly Feature[],
  tier = 'enterprise',
): Promise<void> {
  await app.runtime.store.system.write(async (tx) => {
    const { organizations: t } = identityTables(tx)
    await tx
      .update(t)
      .set({ tier, addonFeatures: [...features] })
      .where(eq(t.id, orgId))
  })
  app.identity.directory.drop({ orgId })
}

export { signUp }
