/**
 * The whole live inventory of an organization, for questions that no scan answers: pages by id, each with a read of its own,
 * and a turn of the event loop for requests every few records.
 *
 * INVARIANT: memory does not grow with the inventory, and no transaction is open between two pages.
 */
import type { Target } from '@plumbline/engine'
import type { PrepareContext } from '../runtime/operation/context.js'
import type { Entity } from '../runtime/records/entity.js'
import type { Db } from '../runtime/store/db.js'

const PAGE = 200
const TURN = 50

type Reader = Pick<PrepareContext, 'read' | 'runtime'>

export async function* inventory(reader: Reader, orgId: string, target: Target): AsyncGenerator<Entity> {
  for await (const [entity] of inventoryWith(reader, orgId, target, async () => null)) yield entity
}

/** Each with what was read of its page in the same read. Nothing where no domain of this process owns such records. */
export async function* inventoryWith<T>(
  { read, runtime }: Reader,
  orgId: string,
  target: Target,
  beside: (db: Db, ids: readonly string[]) => Promise<T>,
): AsyncGenerator<readonly [Entity, T]> {
  const source = runtime.entities?.find((each) => each.target === target)
  if (source === undefined) return
  for (let afterId = ''; ; ) {
    const behind = afterId
    const [entities, more] = await read(async (db) => {
      const page = await source.page(db, orgId, { afterId: behind, limit: PAGE })
      const ids = page.map(({ id }) => id)
      return [page, page.length === 0 ? null : await beside(db, ids)] as const
    })
    for (const [at, entity] of entities.entries()) {
      if (at % TURN === TURN - 1) await nextTurn()
      yield [entity, more as T]
    }
    const last = entities.at(-1)
    if (last === undefined || entities.length < PAGE) return
    afterId = last.id
  }
}

/** A turn of the event loop, in which requests are answered. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
