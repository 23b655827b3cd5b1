/**
 * The computed functions (spec compliance 3). Their documentation is in `catalogue/computed-functions.ts`.
 *
 * INVARIANT: the result is a number or a list of strings and is never absent; an absent field counts as 0.
 */
import type { ComputedFunctionName } from '../types.js'
import { isObject, memberCount, memberKeys } from '../value/own.js'

const lineFeeds = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

export const computed: { readonly [name in ComputedFunctionName]: (value: unknown) => number | readonly string[] } = {
  $count: (value) => (Array.isArray(value) ? value.length : isObject(value) ? memberCount(value) : 0),
  $length: (value) => (typeof value === 'string' ? value.length : 0),
  $keys: (value) => (isObject(value) ? memberKeys(value) : []),
  $lines: (value) => (typeof value === 'string' ? lineFeeds(value) : 0),
}
