/** Repositories in the registry: the staging repository of a builder, and that of a plugin. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { PluginRow } from '../tables.js'

export const stagingOf = (jobId: string): string => `staging/${jobId}`

export const repositoryOf = ({ orgId, name }: Pick<PluginRow, 'orgId' | 'name'>): string => `org-${orgId}/${name}`

/** A version may contain a plus sign, which a tag cannot. */
export const tagOf = (version: string): string => version.replaceAll('+', '_')

/** @throws Refusal 503 when no registry is configured. */
export function registryUrl({ settings }: Runtime): string {
  if (settings.REGISTRY_URL !== null) return settings.REGISTRY_URL
  throw new Refusal(
    'REGISTRY_NOT_CONFIGURED',
    'images need a registry: run `plumbline registry init`, and set REGISTRY_URL',
  )
}
