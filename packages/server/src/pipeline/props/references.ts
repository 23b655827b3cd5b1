/**
 * The plugins that a pipeline refers to, with the location of each reference and its issues. Source: spec platform 8.2.
 */

import { hasToken } from '@plumbline/engine'
import type { PluginReference, ResolvedPlugin } from '../../runtime/records/plugin-catalog.js'
import type { Props } from './schema.js'

export interface PlacedReference extends PluginReference {
  /** JSON pointer to the plugin in the request. */
  readonly path: string
}

export interface ReferenceWarning {
  readonly code: 'PLUGIN_NOT_FOUND' | 'PLUGIN_NOT_READY' | 'PLUGIN_DEPRECATED'
  readonly message: string
  readonly path: string
  readonly plugin: string
  readonly version: string | null
}

type Use = Props['synth']['plugin']

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** `version` takes precedence over `filter.version`, and `filter.name` over a `name` that is only a label. */
const referenceOf = ({ name, version, filter }: Use): PluginReference => ({
  name: text(filter?.['name']) ?? name,
  version: version ?? text(filter?.['version']),
})

export function referencesIn(props: Props, at: string): PlacedReference[] {
  const steps = (props.stages ?? []).flatMap(({ steps }, stage) =>
    steps.map(({ plugin }, step) => ({ ...referenceOf(plugin), path: `${at}/stages/${stage}/steps/${step}/plugin` })),
  )
  return [{ ...referenceOf(props.synth.plugin), path: `${at}/synth/plugin` }, ...steps]
}

/**
 * Each plugin and version once. A name that contains a token is only known when the pipeline is built, so it is left
 * out.
 */
export function distinct(references: readonly PluginReference[]): PluginReference[] {
  const byKey = new Map<string, PluginReference>()
  for (const { name, version } of references) {
    if (hasToken(name) || (version !== null && hasToken(version))) continue
    byKey.set(JSON.stringify([name, version]), { name, version })
  }
  return [...byKey.values()]
}

export function warningsOf(
  placed: readonly PlacedReference[],
  resolved: readonly ResolvedPlugin[],
): ReferenceWarning[] {
  const byKey = new Map(resolved.map((each) => [JSON.stringify([each.name, each.version]), each]))
  return placed.flatMap(({ name, version, path }) => {
    const found = byKey.get(JSON.stringify([name, version]))
    if (found === undefined) return []
    const called = version === null ? name : `${name} ${version}`
    const warn = (code: ReferenceWarning['code'], what: string): ReferenceWarning => ({
      code,
      message: `the plugin ${called} ${what}`,
      path,
      plugin: name,
      version,
    })
    if (found.state === 'not-found') return [warn('PLUGIN_NOT_FOUND', 'is not visible to this organization')]
    if (found.state === 'not-ready') return [warn('PLUGIN_NOT_READY', 'has not been built yet')]
    return found.isDeprecated ? [warn('PLUGIN_DEPRECATED', 'is deprecated')] : []
  })
}
