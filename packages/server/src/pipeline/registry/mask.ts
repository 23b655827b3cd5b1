/**
 * Masks identifiers of deployed resources. A reader of the registry must not see the account number in one: it is
 * replaced by a keyed hash, so that two resources of one account can still be recognised as such. Source: spec platform
 * 19.
 */
import { createHmac } from 'node:crypto'
import { deriveKey } from '../../runtime/secret-box.js'
import type { Settings } from '../../runtime/settings/load.js'

const USE = 'plumbline registry resource'
const ACCOUNT = /(?<![0-9])[0-9]{12}(?![0-9])/g

type Keys = Pick<Settings, 'SECRET_ENCRYPTION_KEYS'>

const keysOf = ({ SECRET_ENCRYPTION_KEYS: ring }: Keys): Uint8Array[] =>
  (ring ?? []).map(({ key }) => deriveKey(key, USE))

const hash = (key: Uint8Array, orgId: string, text: string): string =>
  createHmac('sha256', key).update(`${orgId}\n${text}`).digest('hex')

/** The identifier in its shown form: `arn:aws:codepipeline:us-east-1:acct-5f2c90ab11de:shop`. */
export function maskResource(settings: Keys, orgId: string, resourceId: string): string {
  const [key] = keysOf(settings)
  if (key === undefined) throw new Error('SECRET_ENCRYPTION_KEYS is empty')
  return resourceId.replaceAll(ACCOUNT, (account) => `acct-${hash(key, orgId, account).slice(0, 12)}`)
}

/**
 * The hashes by which an identifier is looked up, one for each key that may have stored it. New rows use the first key.
 */
export const resourceHashes = (settings: Keys, orgId: string, resourceId: string): string[] =>
  keysOf(settings).map((key) => hash(key, orgId, resourceId))
