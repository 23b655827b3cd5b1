/**
 * Makes a failing case small: takes parts away for as long as the case still fails.
 *
 * Greedy and general: a case is a tree of plain values, and any member of an object or element of an array may go.
 */
import type { Group } from './generate/group.js'

export function shrink(group: Group, stillFails: (group: Group) => boolean): Group {
  let best = group
  for (let round = 0; round < 20; round++) {
    const smaller = smallerVersions(best).find((candidate) => isFailing(candidate, stillFails))
    if (!smaller) return best
    best = smaller
    // Take every further step at once: one pass tries each position on the current best.
    for (const path of pathsOf(best)) {
      const candidate = without(best, path)
      if (candidate && isFailing(candidate, stillFails)) best = candidate
    }
  }
  return best
}

function isFailing(candidate: Group, stillFails: (group: Group) => boolean): boolean {
  try {
    return candidate.rules.length > 0 && candidate.trials.length > 0 && stillFails(candidate)
  } catch {
    return false
  }
}

type Path = readonly (string | number)[]

function smallerVersions(group: Group): readonly Group[] {
  return pathsOf(group).flatMap((path) => without(group, path) ?? [])
}

/** Every removable place, the later ones first so that earlier indexes stay valid. */
function pathsOf(group: Group): readonly Path[] {
  const paths: Path[] = []
  const walk = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null || value instanceof Date) return
    for (const key of Object.keys(value)) {
      const step = Array.isArray(value) ? Number(key) : key
      const next = [...path, step]
      if (path.length > 0) paths.push(next)
      walk(Object.getOwnPropertyDescriptor(value, key)?.value, next)
    }
  }
  walk({ rules: group.rules, trials: group.trials }, [])
  return paths.reverse()
}

const REQUIRED = new Set(['name', 'target', 'attributes', 'context', 'ruleId', 'id'])

function without(group: Group, path: Path): Group | null {
  const last = path.at(-1)
  const isInAttributes = path.includes('attributes') && path.length > 3
  if (typeof last === 'string' && REQUIRED.has(last) && !isInAttributes) return null
  return remove(group, path) as Group
}

function remove(value: unknown, path: Path): unknown {
  const [step, ...rest] = path
  if (typeof value !== 'object' || value === null || step === undefined) return value
  if (Array.isArray(value)) {
    if (typeof step !== 'number') return value
    return rest.length === 0
      ? value.filter((_, i) => i !== step)
      : value.map((v, i) => (i === step ? remove(v, rest) : v))
  }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === step && rest.length === 0) continue
    const member = Object.getOwnPropertyDescriptor(value, key)?.value
    Object.defineProperty(copy, key, {
      value: key === step ? remove(member, rest) : member,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return copy
}
