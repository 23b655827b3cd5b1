/** A plugin as rules see it (spec compliance 18). */
import { projectEntity } from '@plumbline/engine'
import type { PluginRow } from '../tables.js'

export function pluginAttributes(row: Partial<PluginRow>): Readonly<Record<string, unknown>> {
  const { contract } = row
  const present = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined))
  return projectEntity('plugin', {
    ...present,
    requiredMetadata: contract?.requiredMetadata ?? [],
    requiredVars: contract?.requiredVars ?? [],
  })
}
