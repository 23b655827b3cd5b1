/**
 * Checks a definition and indexes it.
 *
 * Code that reads a catalogue may then rely on this: ids are unique and known, `requires` has no cycle, at most 24
 * combos are active, every amount is valid money, and no sum of savings overflows.
 */
import type { Result } from '../refusal/refusal.js'
import { refuse } from '../refusal/refusal.js'
import { defaultBundles } from './bundles.js'
import { checkDefinition } from './check.js'
import { defaultCombos } from './combos.js'
import { indexCatalogue } from './lookup.js'
import { defaultPlans } from './plans.js'
import { defaultTiers } from './tiers.js'
import type { Catalogue, CatalogueDefinition } from './types.js'

/** Returns a catalogue, or a refusal whose `details.issues` lists every mistake. */
export function createCatalogue(definition: CatalogueDefinition): Result<Catalogue> {
  const issues = checkDefinition(definition)
  const first = issues[0]
  if (first !== undefined) {
    return refuse('VALIDATION_ERROR', issues.map((issue) => `${issue.field}: ${issue.message}`).join('; '), {
      field: first.field,
      details: { issues },
    })
  }
  return { ok: true, value: indexCatalogue(definition) }
}

export const defaultDefinition: CatalogueDefinition = {
  tiers: defaultTiers,
  plans: defaultPlans,
  bundles: defaultBundles,
  combos: defaultCombos,
}

let cached: Catalogue | undefined

/** Returns the catalogue of the specification, without any override. A test verifies that its definition is valid. */
export function defaultCatalogue(): Catalogue {
  cached ??= indexCatalogue(defaultDefinition)
  return cached
}
