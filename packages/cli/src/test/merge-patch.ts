/**
 * JSON merge patch (RFC 7396): merges `given` into `base`.
 * INVARIANT: neither argument is changed, and a key named `__proto__` is data like any other.
 */
import { isRecord } from '../input/record.js'

/** Objects are merged key by key, `null` removes a key, and any other value replaces. */
export function mergePatch(base: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const merged = new Map<string, unknown>(isRecord(base) ? Object.entries(base) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}
