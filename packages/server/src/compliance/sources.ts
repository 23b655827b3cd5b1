/** The inventory of one kind of record, as the domain that owns these records provides it. */
import type { Target } from '@plumbline/engine'
import type { EntitySource } from '../runtime/inventory.js'
import type { Runtime } from '../runtime/operation/context.js'

export function sourceOf({ entities = [] }: Runtime, target: Target): EntitySource {
  const source = entities.find((each) => each.target === target)
  if (source === undefined) throw new Error(`no domain of this process owns the ${target}s`)
  return source
}
