/**
 * Previews rules together: each rule alone, and the entities that violate at least one of them.
 *
 * INVARIANT: memory does not grow with the number of entities.
 */
import type { Rule, Target } from '../types.js'
import { type ImpactEntity, type ImpactOptions, type RuleImpact, Tally } from './preview-impact.js'

export interface SetImpact {
  /** One result for each rule, in evaluation order, as of `previewImpact`. */
  readonly rules: readonly RuleImpact[]
  /** The number of entities that were evaluated. */
  readonly total: number
  /** The number of entities that violate at least one rule. */
  readonly wouldFail: number
  /** The first entities that were read and violate at least one rule. */
  readonly samples: readonly SetSample[]
}

export interface SetSample {
  readonly entityType: Target | null
  readonly entityId: string
  readonly entityName: string | null
}

const DEFAULT_SAMPLES = 10

/**
 * Counts over an asynchronous source such as a database cursor. Dates and exemptions are ignored, as in
 * `previewImpact`. `maxSamples` also limits the samples of each rule.
 */
export const previewSetAsync = async (
  rules: readonly Rule[],
  entities: AsyncIterable<ImpactEntity> | Iterable<ImpactEntity>,
  options: Omit<ImpactOptions, 'maxEntities'> = {},
): Promise<SetImpact> => {
  const tally = new Tally(rules, options)
  const samples: SetSample[] = []
  let [total, wouldFail] = [0, 0]
  for await (const entity of entities) {
    total += 1
    const { failures } = tally
    tally.add(entity)
    if (tally.failures === failures) continue
    wouldFail += 1
    if (samples.length === (options.maxSamples ?? DEFAULT_SAMPLES)) continue
    samples.push({ entityType: entity.target ?? null, entityId: entity.id, entityName: entity.name ?? null })
  }
  return { rules: tally.results(), total, wouldFail, samples }
}
