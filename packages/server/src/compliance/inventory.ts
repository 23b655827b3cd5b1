/**
 * Reads the whole live inventory of an organization, for requests that no scan answers. Pages are read by id, each in
 * its own read. Few such requests run at once, other requests are served between records, and reading stops when the
 * client has disconnected.
 *
 * INVARIANT: memory does not grow with the inventory, and no transaction is open between two pages.
 */
import type { Target } from '@plumbline/engine'
import { Refusal } from '../runtime/errors.js'
import type { Entity } from '../runtime/inventory.js'
import type { PrepareContext } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { giveWay } from '../runtime/yield-to-requests.js'
import { complianceOf } from './services.js'

const PAGE = 200

type Reader = Pick<PrepareContext, 'read' | 'runtime' | 'signal'>

/**
 * Runs `answer` when one of the few slots for reading the inventory is free. @throws Refusal 429 or 503 when none is
 * free.
 */
export function askInventory<T>(context: PrepareContext, answer: () => Promise<T>): Promise<T> {
  const { org } = context.authority
  if (org === null) throw new Error('the operation has no tenant')
  // guard: the-teams-of-an-account-ask-in-its-place
  return complianceOf(context).questions.ask(org.rootOrgId, answer)
}

export async function* inventory(reader: Reader, orgId: string, target: Target): AsyncGenerator<Entity> {
  for await (const [entity] of inventoryWith(reader, orgId, target, async () => null)) yield entity
}

/**
 * Yields each record with what `beside` read for its page, in the same read. Yields nothing where no domain of this
 * process owns such records.
 * @throws Refusal 408 when the client has disconnected.
 */
export async function* inventoryWith<T>(
  { read, runtime, signal }: Reader,
  orgId: string,
  target: Target,
  beside: (db: Db, page: readonly Entity[]) => Promise<T>,
): AsyncGenerator<readonly [Entity, T]> {
  const source = runtime.entities?.find((each) => each.target === target)
  if (source === undefined) return
  const atOnce = runtime.settings.COMPLIANCE_SCAN_CONCURRENCY
  for (let afterId = ''; ; ) {
    const behind = afterId
    if (signal.aborted) throw nobodyWaits()
    const [entities, more] = await read(async (db) => {
      const page = await source.page(db, orgId, { afterId: behind, limit: PAGE })
      return [page, page.length === 0 ? null : await beside(db, page)] as const
    })
    for (const [at, entity] of entities.entries()) {
      if ((at + 1) % atOnce === 0) await giveWay()
      if (signal.aborted) throw nobodyWaits()
      yield [entity, more as T]
    }
    const last = entities.at(-1)
    if (last === undefined || entities.length < PAGE) return
    afterId = last.id
  }
}

const nobodyWaits = () => new Refusal('REQUEST_TIMEOUT', 'the client did not wait for the answer')
