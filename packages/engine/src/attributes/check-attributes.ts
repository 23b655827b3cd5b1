/**
 * Checks that the attributes of an entity are within the limits (spec compliance 5). Callers run it before `evaluate`.
 *
 * INVARIANT: the walk is iterative and stops at the first excess. A deep, wide or cyclic entity cannot make it
 * expensive.
 */
import type { Attributes, LimitExcess, Limits } from '../types.js'
import { isDropped, isObject, readValue } from '../value/own.js'

export const defaultLimits: Required<Limits> = { keys: 100, depth: 10, nodes: 20_000, regexLength: 100 }

/**
 * Returns the first excess in breadth-first order, or null when the attributes are within every limit. Depth counts
 * path segments; a list index is a segment.
 *
 * @param limits The bounds to apply; a bound that is left out has its default from `defaultLimits`.
 * @throws {TypeError} when `attributes` is not an object.
 */
export const checkAttributes = (attributes: Attributes, limits: Limits = {}): LimitExcess | null => {
  if (!isObject(attributes)) throw new TypeError('attributes must be an object')
  const bounds = { ...defaultLimits, ...limits }
  const keys = Object.keys(attributes).length
  if (keys > bounds.keys) return { limit: 'keys', max: bounds.keys, actual: keys }
  let nodes = 0
  let level: object[] = [attributes]
  for (let depth = 1; level.length > 0; depth++) {
    const next: object[] = []
    for (const container of level) {
      const isList = Array.isArray(container)
      const children: readonly unknown[] = isList ? container : Object.values(container)
      for (let index = 0; index < children.length; index++) {
        const child = children[index]
        // Every element of a list counts. Of an object only the members that JSON keeps count.
        if (!isList && isDropped(child)) continue
        if (depth > bounds.depth) return { limit: 'depth', max: bounds.depth, actual: depth }
        nodes += 1
        if (nodes > bounds.nodes) return { limit: 'nodes', max: bounds.nodes, actual: nodes }
        const value = typeof child === 'object' ? readValue(child) : null
        if (typeof value === 'object' && value !== null) next.push(value)
      }
    }
    level = next
  }
  return null
}
