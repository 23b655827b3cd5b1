/**
 * Environment values never reach a model: a draft that is sent to a model again has a placeholder for each value. The
 * answer gets the value back where it uses the placeholder.
 */
import type { FieldIssue } from '../../runtime/errors.js'
import type { PipelineDraft } from './pipeline.js'
import type { PluginDraft } from './plugin.js'
import type { NamedText } from './shape.js'

/** The placeholder that a model sees instead of a value. */
export const KEPT = '[kept]'

interface Place {
  readonly at: string
  /** Identifies the step, regardless of its position. */
  readonly key: string
  readonly list: readonly NamedText[]
}

const pipelinePlaces = ({ synth, stages }: PipelineDraft): Place[] => [
  { at: '/synth/env', key: 'synth', list: synth.env ?? [] },
  ...(stages ?? []).flatMap(({ stageName, steps }, n) =>
    steps.map(({ plugin, env }, m) => ({
      at: `/stages/${n}/steps/${m}/env`,
      key: JSON.stringify([stageName, plugin.name]),
      list: env ?? [],
    })),
  ),
]

const pluginPlaces = ({ env, buildArgs }: PluginDraft): Place[] => [
  { at: '/env', key: 'env', list: env ?? [] },
  { at: '/buildArgs', key: 'buildArgs', list: buildArgs ?? [] },
]

const places = (draft: PipelineDraft | PluginDraft): Place[] =>
  'synth' in draft ? pipelinePlaces(draft) : pluginPlaces(draft)

/** The draft, with each value of its environments replaced by the result of `swap`. */
function withValues<D extends PipelineDraft | PluginDraft>(
  draft: D,
  swap: (name: string, value: string, key: string) => string,
): D {
  const copy = structuredClone(draft)
  for (const { key, list } of places(copy)) {
    for (const pair of list as { name: string; value: string }[]) pair.value = swap(pair.name, pair.value, key)
  }
  return copy
}

export const masked = <D extends PipelineDraft | PluginDraft>(draft: D): D => withValues(draft, () => KEPT)

/**
 * Replaces the placeholders with values of the previous draft: the value of the same step, else the only value of that
 * name.
 * @returns a fault for each placeholder without a matching value.
 */
export function unmasked<D extends PipelineDraft | PluginDraft>(
  draft: D,
  before: D | null,
): { readonly draft: D; readonly faults: FieldIssue[] } {
  const exact = new Map<string, string>()
  const byName = new Map<string, Set<string>>()
  for (const { key, list } of before === null ? [] : places(before)) {
    for (const { name, value } of list) {
      exact.set(JSON.stringify([key, name]), value)
      byName.set(name, (byName.get(name) ?? new Set()).add(value))
    }
  }
  const valueFor = (name: string, key: string): string | undefined => {
    const own = exact.get(JSON.stringify([key, name]))
    const all = byName.get(name)
    return own ?? (all?.size === 1 ? [...all][0] : undefined)
  }
  const faults = places(draft).flatMap(({ at, key, list }) =>
    list.flatMap(({ name, value }, n) =>
      value === KEPT && valueFor(name, key) === undefined
        ? [
            {
              path: `${at}/${n}/value`,
              message: `says ${KEPT}, but the value of ${name} is not known: write the value`,
              code: 'kept',
            },
          ]
        : [],
    ),
  )
  const back = withValues(draft, (name, value, key) => (value === KEPT ? (valueFor(name, key) ?? value) : value))
  return { draft: back, faults }
}
