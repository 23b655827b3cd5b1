/**
 * Makes editable copies of a group of rules (spec compliance 1.3, 6 and 8).
 *
 * INVARIANT: a copy depends on copies only. A reference that leaves the group is reported and never kept silently.
 */
import type { Condition, Rule } from '../types.js'

export interface CloneOptions {
  /** Names that are taken. A copy whose name is among them gets the suffix `-2`, `-3`, and so on. */
  readonly names: Iterable<string>
  readonly newId: (rule: Rule) => string
  /** The base of the copy's name; by default the rule's own name. */
  readonly nameOf?: (rule: Rule) => string
  readonly orgId?: string | null
}

export interface LeavingReference {
  readonly ruleId: string
  readonly ruleName: string
  /** JSON pointer (RFC 6901) into the original rule. */
  readonly pointer: string
  readonly dependsOnRule: string
}

export interface ClonedRules {
  /**
   * The copies, in the order of the originals. They are active, have the scope `org`, and have no policy, no
   * propagation, no creation or update data and no `set:` tags.
   */
  readonly rules: readonly Rule[]
  /** References to rules outside the group. The caller refuses the clone when the list is not empty. */
  readonly leaving: readonly LeavingReference[]
}

const MAX_NAME = 255

export const cloneRules = (rules: readonly Rule[], options: CloneOptions): ClonedRules => {
  const taken = new Set(options.names)
  const names = rules.map((rule) => freeName(options.nameOf?.(rule) ?? rule.name, taken))
  const ids = rules.map((rule) => options.newId(rule))
  const copyOf = referenceMap(rules, ids)
  const leaving: LeavingReference[] = []
  const copies = rules.map((rule, index): Rule => {
    const conditions = rule.conditions?.map((condition, position): Condition => {
      const { dependsOnRule } = condition
      if (dependsOnRule === undefined || dependsOnRule === null) return condition
      const copy = copyOf(dependsOnRule)
      if (copy !== undefined) return { ...condition, dependsOnRule: copy }
      const pointer = `/conditions/${position}/dependsOnRule`
      leaving.push({ ruleId: rule.id ?? rule.name, ruleName: rule.name, pointer, dependsOnRule })
      return condition
    })
    return {
      ...authored(rule),
      ...(conditions === undefined ? {} : { conditions }),
      id: ids[index] as string,
      name: names[index] as string,
      ...(options.orgId === undefined ? {} : { orgId: options.orgId }),
      scope: 'org',
      isTemplate: false,
      isActive: true,
      propagateToChildren: false,
      tags: (rule.tags ?? []).filter((tag) => !tag.startsWith('set:')),
      policyId: null,
      policyIds: [],
      forkedFromRuleId: rule.id ?? null,
    }
  })
  return { rules: copies, leaving }
}

/** Keeps the fields that an author decides. Who created the original and when is left out. */
const authored = (rule: Rule): Rule => {
  const {
    orgId: _orgId,
    version: _version,
    createdAt: _createdAt,
    createdBy: _createdBy,
    updatedAt: _updatedAt,
    updatedBy: _updatedBy,
    deletedAt: _deletedAt,
    deletedBy: _deletedBy,
    purgeAfter: _purgeAfter,
    source: _source,
    ...rest
  } = rule
  return rest
}

const freeName = (wanted: string, taken: Set<string>): string => {
  let name = wanted
  for (let copy = 2; taken.has(name); copy++) {
    const suffix = `-${copy}`
    name = wanted.slice(0, MAX_NAME - suffix.length) + suffix
  }
  taken.add(name)
  return name
}

/** Resolves ids first, then names that are unique within the group, as evaluation does. */
const referenceMap = (rules: readonly Rule[], ids: readonly string[]): ((reference: string) => string | undefined) => {
  const byId = new Map<string, string>()
  const byName = new Map<string, string | undefined>()
  rules.forEach((rule, index) => {
    byId.set(rule.id ?? rule.name, ids[index] as string)
    byName.set(rule.name, byName.has(rule.name) ? undefined : ids[index])
  })
  return (reference) => byId.get(reference) ?? byName.get(reference)
}
