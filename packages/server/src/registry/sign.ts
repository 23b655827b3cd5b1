/** Signs a registry token: for a caller of the token service, for a builder, or for this server itself. */
import { randomUUID, sign } from 'node:crypto'
import type { Runtime } from '../runtime/operation/context.js'
import { ISSUER, SERVICE, signingKey, type TokenKey } from './keys.js'

/** Tolerance for a registry whose clock is behind ours. */
const BEFORE_S = 30

export interface Access {
  readonly type: 'repository' | 'registry'
  readonly name: string
  readonly actions: readonly string[]
}

export interface Claims {
  readonly subject: string
  readonly access: readonly Access[]
  readonly nowMs: number
  readonly seconds: number
}

/** Synchronous: a signature costs less than passing the work to another thread. */
export function signToken({ subject, access, nowMs, seconds }: Claims, { key, head }: TokenKey): string {
  const now = Math.floor(nowMs / 1000)
  const claims = {
    access,
    iss: ISSUER,
    sub: subject,
    // A string and not a list, because a registry of version 2 accepts only that.
    aud: SERVICE,
    iat: now,
    nbf: now - BEFORE_S,
    exp: now + seconds,
    jti: randomUUID(),
  }
  const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** @throws Refusal 503 when no registry is configured. */
export const tokenFor = (runtime: Runtime, subject: string, access: readonly Access[]): string =>
  signToken(
    { subject, access, nowMs: runtime.clock.now(), seconds: runtime.settings.REGISTRY_TOKEN_TTL_SECONDS },
    signingKey(runtime),
  )
