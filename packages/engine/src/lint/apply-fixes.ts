/** Applies the machine-applicable fixes of findings to the rules they were found in. */

import type { JsonValue, Rule } from '../types.js'
import type { Finding, PatchOperation } from './finding.js'

export interface FixResult {
  /** The rules after the fixes. A rule that no fix changed is the same object as before. */
  readonly rules: readonly Rule[]
  readonly applied: readonly Finding[]
  /** Findings whose fix overlaps one that was applied. Run the analysis again to find them again. */
  readonly postponed: readonly Finding[]
}

/**
 * Applies the fixes of findings. Within a list the last index is changed first, so that no fix shifts the index of
 * another.
 *
 * @param findings Returned by `lintRules` for exactly these rules.
 */
export const applyFixes = (rules: readonly Rule[], findings: readonly Finding[]): FixResult => {
  const changed = [...rules]
  const applied: Finding[] = []
  const postponed: Finding[] = []
  const touched = new Map<number, Set<string>>()
  const withFix = findings.flatMap((finding) => (finding.fix === undefined ? [] : [{ finding, fix: finding.fix }]))
  withFix.sort((a, b) => comparePointers(b.finding.pointer, a.finding.pointer))
  for (const { finding, fix } of withFix) {
    const rule = changed[fix.position]
    if (rule === undefined) continue
    const paths = touched.get(fix.position) ?? new Set<string>()
    touched.set(fix.position, paths)
    if (fix.patch.some(({ path }) => [...paths].some((other) => overlap(path, other)))) {
      postponed.push(finding)
      continue
    }
    changed[fix.position] = fix.patch.reduce<JsonValue>(applyOperation, rule as unknown as JsonValue) as unknown as Rule
    for (const { path } of fix.patch) paths.add(path)
    applied.push(finding)
  }
  return { rules: changed, applied, postponed }
}

const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

/** Compares JSON pointers segment by segment; integers compare as numbers. */
const comparePointers = (a: string, b: string): number => {
  const left = a.split('/')
  const right = b.split('/')
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [x = '', y = ''] = [left[at], right[at]]
    if (x === y) continue
    const [i, j] = [Number(x), Number(y)]
    if (Number.isInteger(i) && Number.isInteger(j)) return i - j
    return x < y ? -1 : 1
  }
  return 0
}

const applyOperation = (document: JsonValue, operation: PatchOperation): JsonValue => {
  const segments = operation.path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  return changeAt(document, segments, operation)
}

const changeAt = (value: JsonValue, segments: readonly string[], operation: PatchOperation): JsonValue => {
  const [segment, ...rest] = segments
  if (segment === undefined) return operation.op === 'remove' ? null : operation.value
  if (Array.isArray(value)) {
    const copy = [...(value as readonly JsonValue[])]
    const index = Number(segment)
    if (rest.length > 0) copy[index] = changeAt(copy[index] ?? null, rest, operation)
    else if (operation.op === 'remove') copy.splice(index, 1)
    else if (operation.op === 'add') copy.splice(index, 0, operation.value)
    else copy[index] = operation.value
    return copy
  }
  if (typeof value !== 'object' || value === null) return value
  const members = { ...(value as { readonly [key: string]: JsonValue }) }
  if (rest.length > 0) members[segment] = changeAt(members[segment] ?? null, rest, operation)
  else if (operation.op === 'remove') delete members[segment]
  else members[segment] = operation.value
  return members
}
