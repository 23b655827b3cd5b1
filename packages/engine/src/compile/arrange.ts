/**
 * The order in which rules are evaluated, and which rules each rule may depend on (spec compliance 1.3 and 4.3).
 *
 * INVARIANT: the order depends on the rules alone, not on the order of the input list. It is topological by dependency.
 * Among rules that are ready it is by priority descending, then by name ascending (UTF-16 code units), then by id.
 * Edges within a cycle do not affect the order.
 */
import type { Target } from '../types.js'
import { findComponents } from './components.js'

/** What `arrange` needs to know of a rule. */
export interface Outline {
  readonly id: string
  readonly name: string
  readonly target: Target | null
  readonly priority: number
  /** Every `dependsOnRule` of the gates and the gated field checks, in list order. */
  readonly references: readonly string[]
}

/** The rule that is named is not among the evaluated rules. Its gate is closed. */
export const UNAVAILABLE = -1
/** The rule that is named has the other target. The rule with the dependency is misconfigured. */
export const OTHER_TARGET = -2

/** Resolves a reference to an index into the outlines, or to `UNAVAILABLE` or `OTHER_TARGET`. */
export type Resolve = (reference: string, target: Target | null) => number

/**
 * Makes a resolver. It tries ids first, then names that only one outline has.
 *
 * @param everywhere All live rules. `outlines` is a subset of them when one target is evaluated.
 * @param dormant Ids of rules that are never evaluated.
 */
export const resolver = (
  outlines: readonly Outline[],
  everywhere: readonly Outline[],
  dormant: ReadonlySet<string>,
): Resolve => {
  const here = directory(outlines)
  const all = everywhere === outlines ? here : directory(everywhere)
  const ofTarget = (index: number, target: Target | null): number => {
    const found = outlines[index]?.target ?? null
    return target === null || found === null || found === target ? index : OTHER_TARGET
  }
  return (reference, target) => {
    const byId = here.ids.get(reference)
    if (byId !== undefined) return ofTarget(byId, target)
    if (all.ids.has(reference)) return OTHER_TARGET
    if (dormant.has(reference)) return UNAVAILABLE
    const byName = here.names.get(reference)
    if (byName !== undefined) return ofTarget(byName, target)
    return (all.names.get(reference) ?? UNAVAILABLE) === UNAVAILABLE ? UNAVAILABLE : OTHER_TARGET
  }
}

/** A name that more than one rule has resolves to nothing. */
const directory = (outlines: readonly Outline[]): { ids: Map<string, number>; names: Map<string, number> } => {
  const ids = new Map<string, number>()
  const names = new Map<string, number>()
  for (let index = 0; index < outlines.length; index++) {
    const outline = outlines[index] as Outline
    ids.set(outline.id, index)
    names.set(outline.name, names.has(outline.name) ? UNAVAILABLE : index)
  }
  return { ids, names }
}

export interface Arrangement {
  /** Indexes into the outlines, in evaluation order. */
  readonly order: readonly number[]
  /** For each outline, the ids on one cycle through it, or null when it is on no cycle. */
  readonly cycles: readonly (readonly string[] | null)[]
}

export const arrange = (outlines: readonly Outline[], resolve: Resolve): Arrangement => {
  const ranked = outlines
    .map((_, index) => index)
    .sort((a, b) => compare(outlines[a] as Outline, outlines[b] as Outline))
  const dependencies = outlines.map((outline) => {
    if (outline.references.length === 0) return none
    const found = new Set<number>()
    for (const reference of outline.references) {
      const index = resolve(reference, outline.target)
      if (index >= 0) found.add(index)
    }
    return [...found]
  })
  const cycles: (readonly string[] | null)[] = outlines.map(() => null)
  if (dependencies.every((found) => found.length === 0)) return { order: ranked, cycles }

  const { component, members } = findComponents(dependencies)
  for (const group of members) {
    const first = group[0] as number
    if (group.length === 1 && !dependencies[first]?.includes(first)) continue
    nameCycles(group, component, dependencies, outlines, cycles)
  }
  return { order: topological(ranked, dependencies, component), cycles }
}

const none: readonly number[] = []

/** Orders two outlines, whose ids always differ. */
const compare = (a: Outline, b: Outline): number => {
  if (a.priority !== b.priority) return b.priority - a.priority
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** Places, again and again, the best-ranked rule whose dependencies are all placed. */
const topological = (
  ranked: readonly number[],
  dependencies: readonly (readonly number[])[],
  component: Int32Array,
): number[] => {
  const rank = new Int32Array(ranked.length)
  for (let position = 0; position < ranked.length; position++) rank[ranked[position] as number] = position
  const waitingFor = new Int32Array(ranked.length)
  const dependents: number[][] = ranked.map(() => [])
  dependencies.forEach((found, index) => {
    for (const dependency of found) {
      if (component[dependency] === component[index]) continue
      waitingFor[index] = (waitingFor[index] as number) + 1
      dependents[dependency]?.push(index)
    }
  })
  // The ranks of the rules that are ready, in descending order: the best one is last.
  const ready = ranked.map((_, position) => position).filter((position) => waitingFor[ranked[position] as number] === 0)
  ready.reverse()
  const order: number[] = []
  for (let position = ready.pop(); position !== undefined; position = ready.pop()) {
    const index = ranked[position] as number
    order.push(index)
    for (const dependent of dependents[index] as number[]) {
      const left = (waitingFor[dependent] as number) - 1
      waitingFor[dependent] = left
      if (left === 0) insert(ready, rank[dependent] as number)
    }
  }
  return order
}

/** Inserts into a list that is in descending order. */
const insert = (list: number[], item: number): void => {
  let low = 0
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((list[middle] as number) > item) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, item)
}

/** In a component with more members than this, all members report the same cycle, so that the cost stays linear. */
const OWN_CYCLE_MEMBERS = 50

const nameCycles = (
  group: readonly number[],
  component: Int32Array,
  dependencies: readonly (readonly number[])[],
  outlines: readonly Outline[],
  cycles: (readonly string[] | null)[],
): void => {
  const members = [...group].sort((a, b) => compare(outlines[a] as Outline, outlines[b] as Outline))
  const idsOf = (start: number): readonly string[] =>
    cycleThrough(start, component, dependencies).map((index) => (outlines[index] as Outline).id)
  const shared = members.length > OWN_CYCLE_MEMBERS ? idsOf(members[0] as number) : null
  for (const member of members) cycles[member] = shared ?? idsOf(member)
}

/** Returns a shortest cycle through the vertex, by breadth-first search inside its component. */
const cycleThrough = (
  start: number,
  component: Int32Array,
  dependencies: readonly (readonly number[])[],
): readonly number[] => {
  const cameFrom = new Map<number, number>()
  const queue = [start]
  for (let at = 0; at < queue.length; at++) {
    const index = queue[at] as number
    for (const next of dependencies[index] as readonly number[]) {
      if (next === start) {
        const path = [index]
        for (let step = index; step !== start; ) {
          step = cameFrom.get(step) as number
          path.push(step)
        }
        return path.reverse()
      }
      if (component[next] === component[start] && !cameFrom.has(next)) {
        cameFrom.set(next, index)
        queue.push(next)
      }
    }
  }
  return [start]
}

const SHOWN_IDS = 10

/** The cycle as text, shortened when it is long. */
export const cycleText = (cycle: readonly string[]): string =>
  cycle.length <= SHOWN_IDS ? cycle.join(' > ') : `${cycle.slice(0, SHOWN_IDS).join(' > ')} > … (${cycle.length} rules)`
