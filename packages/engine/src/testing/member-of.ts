/** Which field paths read a key of a projection. */
import { parseFieldPath } from '../path/field-path.js'

/** True when the path begins at one of these top-level keys. */
export const isMemberOf = (keys: readonly string[], field: string): boolean => {
  const parsed = parseFieldPath(field)
  const root = parsed.ok ? parsed.path.segments[0] : undefined
  return root !== undefined && keys.includes(root)
}
