/** Groups the entities whose standing changed: newly blocked, newly allowed, newly warned. */
import type { EntityDifference, EntityGroup } from './rule-set-diff.js'

export type GroupName = 'newlyBlocked' | 'newlyAllowed' | 'newlyWarned'

const groupOf = ({ before, after }: EntityDifference): GroupName | null => {
  if (before === after) return null
  if (after === 'blocked') return 'newlyBlocked'
  if (before === 'blocked') return 'newlyAllowed'
  return after === 'warned' ? 'newlyWarned' : null
}

/** The groups, each with its total and its first few entities. */
export class EntityGroups {
  readonly #max: number
  readonly #groups = new Map<GroupName, { total: number; samples: EntityDifference[] }>()

  constructor(max: number) {
    this.#max = max
  }

  add(difference: EntityDifference): void {
    const name = groupOf(difference)
    if (name === null) return
    const group = this.#groups.get(name) ?? { total: 0, samples: [] }
    this.#groups.set(name, group)
    group.total += 1
    if (group.samples.length < this.#max) group.samples.push(difference)
  }

  of(name: GroupName): EntityGroup {
    return this.#groups.get(name) ?? { total: 0, samples: [] }
  }
}
