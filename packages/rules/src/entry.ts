/**
 * What an author of a library writes: a rule in words, its check, the controls it supports, and one entity that passes
 * and one that fails.
 *
 * Tags, priority and description are derived here, so that each control is written only once. Source: spec compliance
 * 18 and 19; ADR 56.
 */
import type { Attributes, Condition, Rule, Severity, Target } from '@plumbline/engine'
import { type Control, frameworks } from './frameworks.js'

/** One check, or several of which all or any must hold. Gates name a rule of the same library. */
export type Check = Condition | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] }

export interface Entry {
  readonly name: string
  readonly target: Target
  readonly severity: Severity
  /**
   * One or two sentences: what an entity must do, and why. Names each label, metadata key and link that the rule reads.
   */
  readonly asks: string
  readonly tags: readonly string[]
  readonly controls?: readonly Control[]
  readonly check: Check
  /** The rule that warns of the same in every entity, if this one blocks only some of them. */
  readonly escalates?: string
  /** As an author would write it. It is projected like any other entity. */
  readonly passes: Attributes
  readonly fails: Attributes
}

export type LibraryName = 'starter' | 'standard' | 'advanced'

/** A rule as it is published, with the entities for its tests. */
export interface LibraryRule {
  readonly library: LibraryName
  readonly rule: Rule & { readonly name: string; readonly description: string; readonly tags: readonly string[] }
  readonly controls: readonly Control[]
  readonly escalates: string | null
  readonly passes: Attributes
  readonly fails: Attributes
}

/** Violations of a higher severity are reported earlier. */
const priorities: { readonly [severity in Severity]: number } = { critical: 900, error: 600, warning: 300 }

export const libraryRule =
  (library: LibraryName) =>
  (entry: Entry): LibraryRule => {
    const { name, target, severity, asks, check, passes, fails, controls = [], escalates = null } = entry
    return {
      library,
      rule: {
        name,
        target,
        severity,
        description: [asks, ...controls.map(reason)].join('\n'),
        priority: priorities[severity],
        scope: 'published',
        tags: [...setTags(library), ...controlTags(controls), ...entry.tags],
        ...body(check),
      },
      controls,
      escalates,
      passes,
      fails,
    }
  }

const body = (check: Check): Pick<Rule, 'field' | 'operator' | 'value' | 'conditions' | 'conditionMode'> => {
  if ('all' in check) return { conditions: check.all, conditionMode: 'all' }
  if ('any' in check) return { conditions: check.any, conditionMode: 'any' }
  return check
}

/** Starter rules belong to no set, because they are free. */
const setTags = (library: LibraryName): string[] => (library === 'starter' ? [] : [`set:${library}`])

const controlTags = (controls: readonly Control[]): string[] => [
  ...controls.map(({ framework }) => `framework:${framework}`),
  ...controls.map(({ id }) => `control:${id}`),
]

const reason = ({ framework, id, why }: Control): string => `${frameworks[framework].title} ${id}: ${why}`
