/** The rules and policies that Plumbline ships, as data. */
import { advancedRules } from './advanced/index.js'
import type { LibraryName, LibraryRule } from './entry.js'
import { standardRules } from './standard.js'
import { starterRules } from './starter.js'

export type { LibraryName, LibraryRule } from './entry.js'
export { type LibraryPolicy, libraryPolicies } from './policies.js'

export const libraries: { readonly [name in LibraryName]: readonly LibraryRule[] } = {
  starter: starterRules,
  standard: standardRules,
  advanced: advancedRules,
}

/** Every rule. A rule comes after the rules that it depends on. */
export const libraryRules: readonly LibraryRule[] = [...starterRules, ...standardRules, ...advancedRules]
