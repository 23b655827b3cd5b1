/** Where images lie in the registry: what a builder made, and what a plugin is. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { PluginRow } from '../tables.js'

export const stagingOf = (jobId: string): string => `staging/${jobId}`

export const repositoryOf = ({ orgId, name }: Pick<PluginRow, 'orgId' | 'name'>): string => `org-${orgId}/${name}`

/** A version may hold a plus, which no tag has. */
export const tagOf = (version: string): string => version.replaceAll('+', '_')

/** @throws Refusal 503 where there is no registry. */
export function registryUrl({ settings }: Runtime): string {
  if (settings.REGISTRY_URL !== null) return settings.REGISTRY_URL
  throw new Refusal(
    'REGISTRY_NOT_CONFIGURED',
    'images need a registry: run `plumbline registry init`, and set REGISTRY_URL',
  )
}
