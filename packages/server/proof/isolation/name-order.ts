/**
 * Asks every list that takes an order for each of its names, and reads in the statement what the database sorts by: a key in
 * which capitals and small letters are alike, or a column that holds small letters alone.
 */
import type { Operation } from '../../src/runtime/operation/operation.js'
import { credential, pathOf, queryOf, send } from '../requests/call.js'
import type { World } from '../world/model.js'
import { recorded, valuesOf } from './plans.js'

/** What people read as a name. */
const NAMES = /^(name|.+Name|username|email|title|label|subject|project|organization)$/

/** Columns of names whose schema takes small letters alone. */
const SMALL_LETTERS: ReadonlySet<string> = new Set(['plugins.name'])

export interface NameOrders {
  /** The list and the name. */
  readonly orders: readonly string[]
  /** Those whose statement another list had compiled before. */
  readonly unseen: readonly string[]
  /** The order, and the column that it is by. */
  readonly failures: readonly string[]
}

const namesOf = ({ kind, input }: Operation): readonly string[] => {
  const { sortBy } =
    ((input.query ?? {}) as { properties?: Record<string, { enum?: readonly string[] }> }).properties ?? {}
  return kind === 'query' ? (sortBy?.enum ?? []).filter((name) => NAMES.test(name)) : []
}

/** @param world on SQLite, where nothing was asked yet. */
export async function nameOrders(world: World): Promise<NameOrders> {
  const app = world.open()
  const [home] = world.organizations
  const caller = world.principals.find(({ kind }) => kind === 'super admin')
  if (home === undefined || caller === undefined) throw new Error('the world has nobody who may ask')
  const orders: string[] = []
  const unseen: string[] = []
  const failures: string[] = []
  for (const operation of app.operations) {
    for (const name of namesOf(operation)) {
      const order = `${operation.name}: ${name}`
      const path = valuesOf(operation, home, operation.input.path as Parameters<typeof valuesOf>[2])
      const statements = await recorded(async () => {
        const target = `${pathOf(operation, path)}${queryOf({ sortBy: name })}`
        const { status, text } = await send(app, {
          method: 'GET',
          target,
          headers: { ...credential(caller), 'x-org-id': home.id },
        })
        if (status !== 200) failures.push(`${order}: ${status} ${text.slice(0, 200)}`)
      })
      const columns = statements.flatMap(({ text }) => sortedBy(text))
      if (columns.length === 0) unseen.push(order)
      else orders.push(order)
      if (columns.length > 0 && !columns.some(isFolded)) failures.push(`${order} sorts by ${columns.join(', ')}`)
    }
  }
  await app.close()
  return { orders, unseen, failures }
}

/** The first column of each page of a statement, with its table where the statement names it. */
const sortedBy = (text: string): string[] =>
  [...text.matchAll(/order by (?:"(\w+)"\.)?"(\w+)"[^()]*? limit/gi)].map(
    ([, table = '', column]) => `${table}.${column}`,
  )

const isFolded = (column: string): boolean => column.endsWith('_key') || SMALL_LETTERS.has(column)
