/** Handles a delivery in a transaction that is rolled back, and returns what it would have changed. */

import { findSubscription } from '../call/apply.js'
import type { Settling } from '../call/said.js'
import { findLink } from '../provider/link.js'
import type { DeliveryRow } from '../provider-tables.js'
import { effectOf } from './handle.js'

export interface Difference {
  readonly field: string
  readonly from: string
  readonly to: string
}

class Rehearsed extends Error {
  readonly difference: Difference[]
  constructor(difference: Difference[]) {
    super('rehearsed')
    this.difference = difference
  }
}

const IGNORED: ReadonlySet<string> = new Set(['updatedAtMs', 'seenAtMs', 'countedFailures'])

export async function rehearse(settling: Settling, row: DeliveryRow): Promise<Difference[]> {
  try {
    await effectOf(settling, row, async (writing, subscriptionId, apply) => {
      const read = async () => ({
        subscription: await findSubscription(writing, subscriptionId),
        provider: await findLink(writing.tx, subscriptionId),
      })
      const before = await read()
      await apply()
      throw new Rehearsed(compare(before, await read()))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.difference
    throw error
  }
  return []
}

type Facts = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>

const compare = (before: Facts, after: Facts): Difference[] =>
  Object.keys(after).flatMap((name) =>
    Object.entries(after[name] ?? {})
      .filter(
        ([field, value]) => !IGNORED.has(field) && JSON.stringify(before[name]?.[field]) !== JSON.stringify(value),
      )
      .map(([field, value]) => ({
        field: `${name}.${field}`,
        from: JSON.stringify(before[name]?.[field] ?? null),
        to: JSON.stringify(value),
      })),
  )
