/**
 * Sign-on behind the real HTTP layer: an organization that may set it up, and name servers whose answers a test
 * defines.
 */
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import { signOnPort } from '../../src/runtime/records/sign-on.js'
import type { Store } from '../../src/runtime/store/db.js'
import { resolverPort, type TxtAnswer } from '../../src/sso/dns/resolve.js'
import { recheckDomainsJob } from '../../src/sso/domain/recheck.js'
import { forgetLinks } from '../../src/sso/forget-links.js'
import { SSO_OPERATIONS } from '../../src/sso/operations.js'
import { configuredAmong } from '../../src/sso/provider/configured.js'
import { ssoRegistration } from '../../src/sso/registration.js'
import { confirmed } from './organizations.js'
import { type AppSetup, type IdentityApp, identityApp, type SignedIn } from './sign-in.js'

export interface SsoApp extends IdentityApp {
  /** The answers of the name servers by name. Other names have none. */
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
  app.ports
    .set(resolverPort, async (name) => dns.get(name) ?? { kind: 'answered', texts: [] })
    .set(signOnPort, { configuredAmong, forgetLinks })
  return Object.assign(app, { dns })
}

/** Adds a domain and proves it with its DNS record. @returns its id. */
export async function provenDomain(app: SsoApp, as: SignedIn, domain: string): Promise<string> {
  const added = await confirmed(app, 'POST', `/organization/${as.orgId}/domains`, { as, body: { domain } })
  if (added.status !== 201) throw new Error(`domain: ${JSON.stringify(added.body)}`)
  const { id, record } = added.data.domain
  app.dns.set(record.name, { kind: 'answered', texts: [record.value] })
  const proved = await app.call('POST', `/organization/${as.orgId}/domains/${id}/verify`, { as })
  if (proved.data?.domain?.status !== 'verified') throw new Error(`verify: ${JSON.stringify(proved.body)}`)
  return id
}

/** Looks at the domains that are due, as the server does once an hour. @returns the names of those that lost their record. */
export async function runRecheck({ runtime, clock }: SsoApp): Promise<string[]> {
  const nowMs = clock.now()
  const lost: string[] = []
  const audit = async (_action: string, { details }: { readonly details?: { readonly name?: unknown } }) => {
    lost.push(String(details?.name))
  }
  await recheckDomainsJob.run(
    {
      runtime,
      nowMs,
      job: { id: 'j', kind: 'sso.recheck-domains', orgId: null, attempt: 1 },
      signal: new AbortController().signal,
      read: (look) => runtime.store.system.read(look),
      write: (change) =>
        runtime.store.system.write((tx) => change({ tx, nowMs, audit, enqueue: async () => undefined })),
      finish: async () => undefined,
    },
    {},
  )
  return lost
}
