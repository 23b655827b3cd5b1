/** The content that Plumbline ships: rules and policies. Pure data; `load.ts` publishes it. */
import { advancedRules } from './advanced/index.js'
import type { LibraryName, LibraryRule } from './entry.js'
import { standardRules } from './standard.js'
import { starterRules } from './starter.js'

export type { LibraryName, LibraryRule } from './entry.js'
export { libraryPolicies } from './policies.js'

export const libraries: { readonly [name in LibraryName]: readonly LibraryRule[] } = {
  starter: starterRules,
  standard: standardRules,
  advanced: advancedRules,
}

/** Every rule, those that others depend on before them. */
export const libraryRules: readonly LibraryRule[] = [...starterRules, ...standardRules, ...advancedRules]
