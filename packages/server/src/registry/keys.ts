/**
 * The keys that sign tokens for the registry. The first one signs; the registry's bundle has the certificates of all.
 */
import { CannotStart } from '../runtime/cannot-start.js'
import { pemOf } from '../runtime/certificate.js'
import { Refusal } from '../runtime/errors.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import type { RingKey } from '../runtime/setting/types.js'
import { type SigningKey, unpacked } from './certificate.js'

/** The issuer and the service (audience) in each token; the registry's configuration has the same values. */
export const ISSUER = 'plumbline'
export const SERVICE = 'plumbline-registry'

export interface TokenKey extends Pick<SigningKey, 'key'> {
  /** The encoded header of each token: the algorithm and the certificate. */
  readonly head: string
}

export function readKeys(ring: readonly RingKey[]): readonly SigningKey[] {
  return ring.map(({ id, key }) => {
    try {
      return unpacked(key)
    } catch (error) {
      throw new CannotStart(
        `the key ${id} of REGISTRY_TOKEN_KEYS cannot be read (${(error as Error).message}): use one that \`plumbline registry init\` creates`,
      )
    }
  })
}

/** The bundle for the registry's `rootcertbundle`. */
export const bundleOf = (ring: readonly RingKey[]): string =>
  readKeys(ring)
    .map(({ certificate }) => pemOf(certificate))
    .join('')

const keysOf = perRuntime(({ settings }: Runtime): readonly TokenKey[] =>
  readKeys(settings.REGISTRY_TOKEN_KEYS ?? []).map(({ key, certificate }) => ({
    key,
    head: Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'JWT', x5c: [certificate.toString('base64')] })).toString(
      'base64url',
    ),
  })),
)

/** @throws Refusal 503 when no registry is configured. */
export function signingKey(runtime: Runtime): TokenKey {
  const [first] = runtime.settings.REGISTRY_URL === null ? [] : keysOf(runtime)
  if (first !== undefined) return first
  throw new Refusal(
    'REGISTRY_NOT_CONFIGURED',
    'this server has no registry: run `plumbline registry init`, and set REGISTRY_URL and REGISTRY_TOKEN_KEYS',
  )
}
