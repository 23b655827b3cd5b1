/**
 * The services that this domain's operations share in one process: egress, name servers, the box for client secrets.
 */
import { createEgress, type Egress } from '../runtime/egress/egress.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import { findPort } from '../runtime/port.js'
import { createSecretBox, type SecretBox } from '../runtime/secret-box.js'
import { type ResolveTxt, resolverPort, txtResolver } from './dns/resolve.js'
import { createOidcClient, type OidcClient } from './oidc/client.js'

export interface SsoServices {
  readonly egress: Egress
  /** The TXT records of a name. */
  readonly resolveTxt: ResolveTxt
  readonly oidc: OidcClient
  /** Encrypts client secrets and verifiers. @throws Error in a process without SECRET_ENCRYPTION_KEYS. */
  box(): SecretBox
}

export const ssoOf = perRuntime((runtime: Runtime): SsoServices => {
  const { settings } = runtime
  const egress = runtime.egress ?? createEgress()
  let box: SecretBox | null = null
  const ask = txtResolver(settings.DNS_SERVERS)
  return {
    egress,
    oidc: createOidcClient({
      egress,
      allowedOrigins: settings.IDP_ALLOWED_ORIGINS,
      now: () => runtime.clock.now(),
    }),
    resolveTxt: (name) => (findPort(runtime, resolverPort) ?? ask)(name),
    box() {
      box ??= createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? [])
      return box
    },
  }
})

export const secretPurpose = (providerId: string): string => `idp ${providerId}`
