/**
 * Previews an edit of a rule: the entities that violate the new form and not the former one, and the reverse.
 *
 * An entity that waits for its image violates neither form. INVARIANT: memory does not grow with the number of
 * entities.
 */
import type { Rule } from '../types.js'
import { type ImpactEntity, type ImpactOptions, type RuleImpact, Tally } from './preview-impact.js'

export interface EditImpact {
  /** The preview of the new form alone. */
  readonly after: RuleImpact
  readonly newlyFailing: MovedEntities
  readonly newlyPassing: MovedEntities
}

export interface MovedEntities {
  readonly total: number
  /** The first entities that were read. */
  readonly samples: readonly MovedEntity[]
}

export interface MovedEntity {
  readonly entityId: string
  readonly entityName: string | null
}

const DEFAULT_SAMPLES = 10

/**
 * Compares two forms of one rule on the given entities. Dates and exemptions are ignored, as in `previewImpact`.
 *
 * @throws {Error} when the two rules have different targets.
 */
export const previewEdit = (
  before: Rule,
  after: Rule,
  entities: Iterable<ImpactEntity>,
  options: Omit<ImpactOptions, 'maxEntities'> = {},
): EditImpact => {
  const edit = new Edit(before, after, options)
  for (const entity of entities) edit.add(entity)
  return edit.result()
}

/** Like `previewEdit`, over an asynchronous source such as a database cursor. */
export const previewEditAsync = async (
  before: Rule,
  after: Rule,
  entities: AsyncIterable<ImpactEntity>,
  options: Omit<ImpactOptions, 'maxEntities'> = {},
): Promise<EditImpact> => {
  const edit = new Edit(before, after, options)
  for await (const entity of entities) edit.add(entity)
  return edit.result()
}

class Edit {
  readonly #before: Tally
  readonly #after: Tally
  readonly #maxSamples: number
  readonly #failing = { total: 0, samples: [] as MovedEntity[] }
  readonly #passing = { total: 0, samples: [] as MovedEntity[] }

  constructor(before: Rule, after: Rule, options: ImpactOptions) {
    if (before.target !== after.target) throw new Error('the two forms of a rule are for one target')
    this.#before = new Tally([before], { ...options, maxSamples: 0 })
    this.#after = new Tally([after], options)
    this.#maxSamples = options.maxSamples ?? DEFAULT_SAMPLES
  }

  add(entity: ImpactEntity): void {
    const failed = fails(this.#before, entity)
    if (fails(this.#after, entity) === failed) return
    const moved = failed ? this.#passing : this.#failing
    moved.total += 1
    if (moved.samples.length === this.#maxSamples) return
    moved.samples.push({ entityId: entity.id, entityName: entity.name ?? null })
  }

  result(): EditImpact {
    const [after] = this.#after.results()
    if (after === undefined) throw new Error('no impact came of one rule')
    return { after, newlyFailing: this.#failing, newlyPassing: this.#passing }
  }
}

function fails(tally: Tally, entity: ImpactEntity): boolean {
  const { failures } = tally
  tally.add(entity)
  return tally.failures > failures
}
