/** Signs a token for the registry: for a caller of the token service, for a builder, for this server itself. */
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Runtime } from '../runtime/operation/context.js'
import { ISSUER, SERVICE, signingKey, type TokenKey } from './keys.js'

/** The registry's clock may be behind ours. */
const BEFORE_S = 30

export interface Access {
  readonly type: 'repository' | 'registry'
  readonly name: string
  readonly actions: readonly string[]
}

interface Claims {
  readonly subject: string
  readonly access: readonly Access[]
  readonly nowMs: number
  readonly seconds: number
}

export async function signToken(
  { subject, access, nowMs, seconds }: Claims,
  { key, header }: TokenKey,
): Promise<string> {
  const now = Math.floor(nowMs / 1000)
  return (
    new SignJWT({ access: [...access] })
      .setProtectedHeader(header)
      .setIssuer(ISSUER)
      .setSubject(subject)
      // One text and no list: a registry of version 2 takes nothing else.
      .setAudience(SERVICE)
      .setIssuedAt(now)
      .setNotBefore(now - BEFORE_S)
      .setExpirationTime(now + seconds)
      .setJti(randomUUID())
      .sign(key)
  )
}

/** @throws Refusal 503 where there is no registry. */
export const tokenFor = (runtime: Runtime, subject: string, access: readonly Access[]): Promise<string> =>
  signToken(
    { subject, access, nowMs: runtime.clock.now(), seconds: runtime.settings.REGISTRY_TOKEN_TTL_SECONDS },
    signingKey(runtime),
  )
