/** Sign-on behind the real HTTP floor: an organization that may set it up, name servers that a test writes. */
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import type { Store } from '../../src/runtime/store/db.js'
import { resolverPort, type TxtAnswer } from '../../src/sso/dns/resolve.js'
import { SSO_OPERATIONS } from '../../src/sso/operations.js'
import { ssoRegistration } from '../../src/sso/registration.js'
import { confirmed } from './organizations.js'
import { type AppSetup, type IdentityApp, identityApp, type SignedIn } from './sign-in.js'

export interface SsoApp extends IdentityApp {
  /** What the name servers say of a name; nothing unless it is in here. */
  readonly dns: Map<string, TxtAnswer>
}

/** Every organization has the features of the tier `team`. */
export async function ssoApp(store: Store, setup: AppSetup = {}): Promise<SsoApp> {
  const app = await identityApp(store, {
    ...setup,
    operations: [...TENANT_OPERATIONS, ...SSO_OPERATIONS, ...(setup.operations ?? [])],
    domains: [identityRegistration, quotaRegistration, ssoRegistration, ...(setup.domains ?? [])],
    settings: { BILLING_ENABLED: 'false', ...setup.settings },
  })
  const dns = new Map<string, TxtAnswer>()
  app.ports.set(resolverPort, async (name) => dns.get(name) ?? { kind: 'answered', texts: [] })
  return Object.assign(app, { dns })
}

/** Adds a domain and proves it by its record. @returns its id. */
export async function provenDomain(app: SsoApp, as: SignedIn, domain: string): Promise<string> {
  const added = await confirmed(app, 'POST', `/organization/${as.orgId}/domains`, { as, body: { domain } })
  if (added.status !== 201) throw new Error(`domain: ${JSON.stringify(added.body)}`)
  const { id, record } = added.data.domain
  app.dns.set(record.name, { kind: 'answered', texts: [record.value] })
  const proved = await app.call('POST', `/organization/${as.orgId}/domains/${id}/verify`, { as })
  if (proved.data?.domain?.status !== 'verified') throw new Error(`verify: ${JSON.stringify(proved.body)}`)
  return id
}
