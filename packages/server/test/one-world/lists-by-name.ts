/** A list in the order of a name has capitals and small letters alike, and equal names in a fixed order, on each database. */
import { expect, it } from 'vitest'
import { nameOrders } from '../../proof/isolation/name-order.js'
import { credential, send } from '../../proof/requests/call.js'
import type { ProofPrincipal, World } from '../../proof/world/model.js'

const NAMES = ['beta', 'Alpha', 'Éclair', 'gamma', 'éclat', 'Beta', 'alpha two', 'Émile', 'Gamma 2', 'zeta', 'ALPHA 3']

interface Listed {
  readonly id: string
  readonly name: string
}

/** Independent of the key: letter by letter in lower case, equal ones by id. */
function byName(items: readonly Listed[]): string[] {
  const folded = ({ name }: Listed): Buffer => Buffer.from(name.toLowerCase())
  const sorted = [...items].sort((a, b) => Buffer.compare(folded(a), folded(b)) || (a.id < b.id ? -1 : 1))
  return sorted.map(({ id }) => id)
}

interface List {
  /** The key of the items, and the name in each. */
  readonly key: string
  readonly field?: string
  readonly path: string
  readonly as?: 'super admin'
  readonly make?: (call: Call, name: string, n: number) => Promise<unknown>
}

type Call = (method: string, target: string, body?: object, as?: 'super admin') => Promise<Record<string, unknown>>

const rule = (name: string) => ({ name, target: 'plugin', field: 'version', operator: 'neq', value: '0' })
const pipeline = (name: string) => ({
  project: name,
  organization: 'sorted',
  pipelineName: name,
  props: { synth: { source: { type: 'github', options: { repo: 'a/b', branch: 'main' } }, plugin: { name: 'tool' } } },
})

const LISTS: readonly List[] = [
  {
    key: 'rules',
    path: '/compliance/rules?sortBy=name',
    make: (call, name) => call('POST', '/compliance/rules', rule(name)),
  },
  {
    key: 'policies',
    path: '/compliance/policies?sortBy=name',
    make: (call, name) => call('POST', '/compliance/policies', { name }),
  },
  {
    key: 'registry',
    field: 'pipelineName',
    path: '/pipelines/registry?sortBy=pipelineName',
    async make(call, name, n) {
      const made = await call('POST', '/pipelines', pipeline(`sorted ${n}`))
      const { id } = made.pipeline as { id: string }
      await call('POST', '/pipelines/registry', { pipelineId: id, pipelineName: name })
    },
  },
  {
    key: 'templates',
    path: '/pipeline-templates?sortBy=name&scope=own',
    make: (call, name, n) => call('POST', '/pipeline-templates', { name: `${name} ${n}`, props: pipeline(name).props }),
  },
  {
    key: 'organizations',
    path: '/organizations?sortBy=name',
    as: 'super admin',
    // One person owns ten at most.
    make: async (call, name, n) => (n < 8 ? call('POST', '/organization', { name }) : undefined),
  },
]

export function listsByName(world: () => World): void {
  it('has capitals and small letters alike, and equal names in a fixed order, in a list by name', () =>
    listsAreInOrder(world()))
}

/** What a list sorts by is read from the statements of SQLite; those of PostgreSQL are made from the same keys. */
export function keysOfLists(world: () => World): void {
  it('sorts each list of names by a key', () => everyListSortsByAKey(world()))
}

async function everyListSortsByAKey(world: World): Promise<void> {
  const { orders, unseen, failures } = await nameOrders(world)
  expect(failures).toEqual([])
  // Scorecards are sorted once they are computed, by the key as well.
  expect(unseen).toEqual(['message.announcement.list: subject', 'reporting.scorecard.list: project'])
  expect(orders.length).toBeGreaterThan(12)
}

async function listsAreInOrder(world: World): Promise<void> {
  const app = world.open()
  const [home] = world.organizations
  const principal = (kind: ProofPrincipal['kind']) => {
    const found = world.principals.find((each) => each.kind === kind && (each.home === 0 || each.home === null))
    if (found === undefined || home === undefined) throw new Error(`the world has no ${kind}`)
    return { ...credential(found), 'x-org-id': home.id, 'content-type': 'application/json' }
  }
  const call: Call = async (method, target, body, as) => {
    const answer = await send(app, {
      method,
      target,
      headers: principal(as ?? 'owner'),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status, `${method} ${target}: ${answer.text.slice(0, 500)}`).toBeLessThan(300)
    return JSON.parse(answer.text).data
  }
  for (const { key, field = 'name', path, as, make } of LISTS) {
    for (const [n, name] of NAMES.entries()) await make?.(call, name, n)
    for (const order of ['asc', 'desc']) {
      const data = await call('GET', `${path}&limit=1000&sortOrder=${order}`, undefined, as)
      const items = (data[key] as Record<string, string>[]).map((each) => ({
        id: each.id ?? '',
        name: each[field] ?? '',
      }))
      expect(items.length, key).toBeGreaterThanOrEqual(8)
      const ids = items.map(({ id }) => id)
      expect(order === 'asc' ? ids : [...ids].reverse(), `${key} ${order}`).toEqual(byName(items))
    }
  }
  await app.close()
}
