/** The product behind a socket, as clients of the registry reach it, with everything that the world of the proof needs. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { pluginNames } from '../../src/plugin/entities.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import { newTokenKey } from '../../src/registry/new-key.js'
import { getToken } from '../../src/registry/token/get.js'
import { pluginNamesPort } from '../../src/runtime/records/plugin-names.js'
import { signOnPort } from '../../src/runtime/records/sign-on.js'
import type { Store } from '../../src/runtime/store/db.js'
import { resolverPort } from '../../src/sso/dns/resolve.js'
import { forgetLinks } from '../../src/sso/forget-links.js'
import { SSO_OPERATIONS } from '../../src/sso/operations.js'
import { configuredAmong } from '../../src/sso/provider/configured.js'
import { ssoRegistration } from '../../src/sso/registration.js'
import { type HostileProvider, hostileProvider } from '../../test/support/oidc.js'
import { type PluginApp, pluginApp } from '../../test/support/plugins.js'
import type { SsoApp } from '../../test/support/sso.js'

export const SERVICE = 'plumbline-registry'
/** The shortest that the setting allows. */
export const TTL_S = 60

export interface Place {
  readonly app: PluginApp & SsoApp
  readonly provider: HostileProvider
  /** Where the server listens. */
  readonly url: string
  close(): Promise<void>
}

export async function openPlace(store: Store, registryUrl: string): Promise<Place> {
  const provider = await hostileProvider()
  const plugins = await pluginApp(store, {
    operations: [getToken, ...TENANT_OPERATIONS, ...SSO_OPERATIONS],
    domains: [identityRegistration, quotaRegistration, ssoRegistration],
    startMs: Date.now(),
    settings: {
      ...{ REGISTRY_URL: registryUrl, REGISTRY_TOKEN_KEYS: newTokenKey(), REGISTRY_TOKEN_TTL_SECONDS: String(TTL_S) },
      ...{ BILLING_ENABLED: 'false', IDP_ALLOWED_ORIGINS: provider.issuer, JWT_EXPIRES_IN: '86400' },
    },
  })
  const dns: SsoApp['dns'] = new Map()
  plugins.ports
    .set(pluginNamesPort, pluginNames)
    .set(resolverPort, async (name) => dns.get(name) ?? { kind: 'answered', texts: [] })
    .set(signOnPort, { configuredAmong, forgetLinks })
  const server = serve({ fetch: plugins.http.fetch, port: 0, hostname: '127.0.0.1' })
  if (!server.listening) await once(server, 'listening')
  return {
    app: Object.assign(plugins, { dns }),
    provider,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await plugins.identity.settle()
      await provider.close()
      await new Promise((closed) => server.close(closed))
    },
  }
}
