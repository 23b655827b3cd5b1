/** Organizations with a provider that says what a sign-in is to bring, so that many can come back in the same moment. */
import { randomBytes } from 'node:crypto'
import type { Store } from '../../src/runtime/store/db.js'
import { began, came, type HostileProvider, hostileProvider, withProvider } from '../../test/support/oidc.js'
import { type Directory, directoryOf } from '../../test/support/scim.js'
import type { Answer } from '../../test/support/sign-in.js'
import { type SsoApp, ssoApp } from '../../test/support/sso.js'

export interface Company extends Directory {
  readonly domain: string
  /** Begins a sign-in, which `back` completes: the person is at the provider meanwhile. */
  away(claims: Claims): Promise<{ back(): Promise<Answer> }>
}

export interface Claims {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: unknown
  readonly groups?: unknown
}

export interface Place {
  readonly app: SsoApp
  company(name: string): Promise<Company>
  close(): Promise<void>
}

/** @param seats of each company, its owner included. */
export async function openPlace(
  store: Store,
  { seats, startMs = Date.now() }: { readonly seats: number; readonly startMs?: number },
): Promise<Place> {
  const provider = await hostileProvider()
  const settings = {
    IDP_ALLOWED_ORIGINS: provider.issuer,
    BILLING_ENABLED: 'true',
    DEFAULT_QUOTA_TIER: 'enterprise',
    QUOTA_TIER_ENTERPRISE_SEATS: String(seats),
  }
  const app = await ssoApp(store, { startMs, settings })
  provider.nowS = () => Math.floor(app.clock.now() / 1000)
  const codes = speak(provider)
  return {
    app,
    async company(name) {
      const domain = `${name}.test`
      const directory = await directoryOf(app, name, domain)
      const { orgId, admin } = directory
      const idpId = await withProvider(app, admin, provider.issuer, { jit: true, groupsClaim: 'groups' })
      return {
        ...directory,
        idpId,
        domain,
        async away(claims) {
          const { url, cookie, state } = await began(app, orgId)
          const code = randomBytes(12).toString('hex')
          codes.set(code, { nonce: url.searchParams.get('nonce') ?? '', email: `${claims.sub}@${domain}`, ...claims })
          return { back: () => came(app, idpId, cookie, { state, code, iss: provider.issuer }) }
        },
      }
    },
    close: () => provider.close(),
  }
}

function speak(provider: HostileProvider): Map<string, object> {
  const codes = new Map<string, object>()
  provider.say = ({ sign, code }) => sign({ ...codes.get(code) })
  return codes
}
