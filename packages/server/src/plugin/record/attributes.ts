/** A plugin as rules see it (compliance decisions 18). */
import { projectEntity } from '@plumbline/engine'
import type { PluginRow } from '../tables.js'

/** What a check needs of a plugin, stored or about to be. */
export type Projected = Omit<
  PluginRow,
  'versionKey' | 'wantsDefault' | 'archiveKey' | 'deletedAtMs' | 'deletedBy' | 'purgeAfterMs'
>

export function pluginAttributes(row: Partial<PluginRow>): Readonly<Record<string, unknown>> {
  const { contract } = row
  const present = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined))
  return projectEntity('plugin', {
    ...present,
    requiredMetadata: contract?.requiredMetadata ?? [],
    requiredVars: contract?.requiredVars ?? [],
  })
}

export const ENTITY_NAME = ({ name, version }: Pick<PluginRow, 'name' | 'version'>): string => `${name}@${version}`
