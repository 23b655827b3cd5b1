/**
 * Finds texts with a NUL. PostgreSQL cannot store them, so no operation accepts them: the field is named before
 * anything is done. This is checked where requests are read.
 */
import type { FieldIssue } from '../errors.js'

const NUL = '\0'
const ISSUES_MAX = 100

/**
 * Iterative, because a body may be nested as deeply as its size allows. Paths are built only for a value that has a
 * NUL.
 */
export function nulIssues(value: unknown, at: string): FieldIssue[] {
  if (!holdsNul(value)) return []
  const issues: FieldIssue[] = []
  const waiting: [unknown, string][] = [[value, at]]
  const found = (path: string, message: string) => issues.push({ path, message, code: 'nul' })
  for (let next = waiting.pop(); next !== undefined && issues.length < ISSUES_MAX; next = waiting.pop()) {
    const [each, path] = next
    if (typeof each === 'string' && each.includes(NUL)) found(path, 'must not contain a NUL character')
    if (typeof each !== 'object' || each === null) continue
    for (const [name, inner] of Object.entries(each).reverse()) {
      if (name.includes(NUL)) found(path, 'has a name with a NUL character')
      else waiting.push([inner, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`])
    }
  }
  return issues
}

function holdsNul(value: unknown): boolean {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const each = waiting.pop()
    if (typeof each === 'string') {
      if (each.includes(NUL)) return true
    } else if (typeof each === 'object' && each !== null) {
      for (const name of Object.keys(each)) {
        if (name.includes(NUL)) return true
        waiting.push((each as Record<string, unknown>)[name])
      }
    }
  }
  return false
}
