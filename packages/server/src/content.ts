/**
 * What ships with the server, published on the host: the function behind `plumbline admin load-content`. Each domain loads
 * its own, and loading twice changes nothing the second time.
 */
import { type LoadedContent, loadHostContent as loadRules } from './compliance/index.js'
import type { Host } from './identity/index.js'
import { loadStarters } from './pipeline/index.js'
import { loadSystemPlugins } from './plugin/index.js'

/** Rules by what became of them, and what was added or renewed of the rest. */
export interface HostContent extends LoadedContent {
  readonly templates: { readonly created: number; readonly updated: number }
  /** Names of plugins that were not there. */
  readonly plugins: readonly string[]
}

export async function loadHostContent(host: Host): Promise<HostContent> {
  const rules = await loadRules(host)
  // The templates name the plugins.
  const plugins = await loadSystemPlugins(host.runtime)
  return { ...rules, plugins, templates: await loadStarters(host.runtime) }
}
