/** Solves a conjunction of literals over one entity: finds an entity that meets all of them, or proves that none does. */

import type { Attributes } from '../types.js'
import { found, type Literal, meets, none, type PlaceNode, placesOf, type Search } from './literal.js'
import { solvePlace } from './place-domain.js'

/** Results by set of literals, for questions that are asked repeatedly. */
export type GroupCache = Map<string, Search<unknown>>

const groupKey = (node: PlaceNode): string => {
  const parts: string[] = node.own.map(({ check, holds }) => `${holds ? '+' : '-'}${check.index}`)
  for (const child of node.children.values()) parts.push(groupKey(child))
  return parts.sort().join()
}

const MAX_CACHED = 20_000

/** The keys of the cache are indexes of checks, so a cache belongs to one compilation. */
export const solveConjunction = (literals: readonly Literal[], cache: GroupCache | null = null): Search<Attributes> => {
  const root = placesOf(literals)
  const entity: { [key: string]: unknown } = {}
  let doubt: Search<Attributes> = none
  for (const [attribute, node] of root.children) {
    const key = cache === null ? '' : groupKey(node)
    const known = cache?.get(key)
    const result = known ?? solvePlace(node)
    if (cache !== null && known === undefined) {
      if (cache.size >= MAX_CACHED) cache.clear()
      cache.set(key, result)
    }
    if (result.status === 'none') return none
    if (result.status === 'unknown') doubt = result
    else if (result.value !== undefined) {
      Object.defineProperty(entity, attribute, {
        value: result.value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
  }
  if (doubt.status === 'unknown') return doubt
  return meets(root, entity)
    ? found(entity)
    : { status: 'unknown', reason: 'the found entity does not meet every condition' }
}
