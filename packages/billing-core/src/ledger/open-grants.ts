/**
 * Grants with credit left, first in first out by (grantedAt, seq), as a binary heap.
 *
 * Reading in order does not change the heap, so a drain can be planned before it is applied. A grant that was emptied
 * out of turn stays until it reaches the front.
 */
import type { Entry } from './entry.js'

export class OpenGrants {
  private readonly grants = new Heap<Entry>(comesBefore)

  add(entry: Entry): void {
    this.grants.add(entry)
  }

  /** The oldest grant. It may have been emptied out of turn. */
  first(): Entry | undefined {
    return this.grants.items[0]
  }

  /** Removes emptied grants at the front. Each entry is removed at most once. */
  dropEmpty(): void {
    while (this.grants.items[0]?.remaining === 0) this.grants.removeFirst()
  }

  /** Yields the grants in order. Reading k entries costs O(k log k). */
  *inOrder(): Generator<Entry> {
    const { items } = this.grants
    const first = items[0]
    if (first === undefined) return
    yield first
    const at = (index: number): Entry => items[index] as Entry
    const frontier = new Heap<number>((a, b) => comesBefore(at(a), at(b)))
    for (let index: number | undefined = 0; index !== undefined; index = frontier.removeFirst()) {
      if (index !== 0) yield at(index)
      for (const child of [2 * index + 1, 2 * index + 2]) if (child < items.length) frontier.add(child)
    }
  }
}

class Heap<T> {
  readonly items: T[] = []

  constructor(private readonly before: (a: T, b: T) => boolean) {}

  add(item: T): void {
    const { items } = this
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.before(item, items[parent] as T)) break
      items[at] = items[parent] as T
      at = parent
    }
    items[at] = item
  }

  removeFirst(): T | undefined {
    const { items } = this
    const first = items[0]
    const last = items.pop() as T
    if (items.length === 0) return first
    let at = 0
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && this.before(items[child + 1] as T, items[child] as T)) child++
      if (!this.before(items[child] as T, last)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = last
    return first
  }
}

function comesBefore(a: Entry, b: Entry): boolean {
  if (a.facts.grantedAt !== b.facts.grantedAt) return a.facts.grantedAt < b.facts.grantedAt
  return a.facts.seq < b.facts.seq
}
