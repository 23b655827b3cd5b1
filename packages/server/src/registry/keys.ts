/** The keys that sign tokens for the registry: the first signs, the certificates of all are in the registry's bundle. */
import type { JWTHeaderParameters } from 'jose'
import { CannotStart } from '../runtime/cannot-start.js'
import { Refusal } from '../runtime/errors.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import type { RingKey } from '../runtime/setting/types.js'
import { pemOf, type SigningKey, unpacked } from './certificate.js'

/** What the registry calls us, and we it; both stand in each token. */
export const ISSUER = 'plumbline'
export const SERVICE = 'plumbline-registry'

export interface TokenKey extends Pick<SigningKey, 'key'> {
  readonly header: JWTHeaderParameters
}

export function readKeys(ring: readonly RingKey[]): readonly SigningKey[] {
  return ring.map(({ id, key }) => {
    try {
      return unpacked(key)
    } catch (error) {
      throw new CannotStart(
        `the key ${id} of REGISTRY_TOKEN_KEYS cannot be read (${(error as Error).message}): take one that \`plumbline registry init\` makes`,
      )
    }
  })
}

/** For the registry's `rootcertbundle`. */
export const bundleOf = (ring: readonly RingKey[]): string =>
  readKeys(ring)
    .map(({ certificate }) => pemOf(certificate))
    .join('')

const keysOf = perRuntime(({ settings }: Runtime): readonly TokenKey[] =>
  readKeys(settings.REGISTRY_TOKEN_KEYS ?? []).map(({ key, certificate }) => ({
    key,
    header: { alg: 'ES256', typ: 'JWT', x5c: [certificate.toString('base64')] },
  })),
)

/** @throws Refusal 503 where there is no registry. */
export function signingKey(runtime: Runtime): TokenKey {
  const [first] = runtime.settings.REGISTRY_URL === null ? [] : keysOf(runtime)
  if (first !== undefined) return first
  throw new Refusal(
    'REGISTRY_NOT_CONFIGURED',
    'this server has no registry: run `plumbline registry init`, and set REGISTRY_URL and REGISTRY_TOKEN_KEYS',
  )
}
