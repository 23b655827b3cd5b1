/** The route table against Hono's own trie: the same first handler, for every path over a small alphabet of segments. */
import fc from 'fast-check'
import { TrieRouter } from 'hono/router/trie-router'
import { describe, expect, it } from 'vitest'
import { RouteTable } from './route-table.js'

const handlerOf = (table: RouteTable<string>, method: string, path: string) => {
  const [[found]] = table.match(method, path)
  return found
}

describe('the route table', () => {
  it('takes the first handler of the place that fits best, with the values of its parameters', () => {
    const table = new RouteTable<string>()
    table.add('GET', '/quotas/all', 'all')
    table.add('ALL', '/quotas/all', 'other method')
    table.add('GET', '/quotas/:orgId', 'one')
    table.add('PUT', '/quotas/:id', 'put')
    table.add('GET', '/quotas/:orgId/:type', 'type')
    expect(handlerOf(table, 'GET', '/quotas/all')).toEqual(['all', {}])
    // A literal wins for every method: this is 405 and never an organization called "all".
    expect(handlerOf(table, 'PUT', '/quotas/all')).toEqual(['other method', {}])
    expect(handlerOf(table, 'GET', '/quotas/x')).toEqual(['one', { orgId: 'x' }])
    expect(handlerOf(table, 'PUT', '/quotas/x')).toEqual(['put', { id: 'x' }])
    // The literal leads nowhere from here, so the parameter takes it.
    expect(handlerOf(table, 'GET', '/quotas/all/cpu')).toEqual(['type', { orgId: 'all', type: 'cpu' }])
    for (const path of ['/', '/quotas', '/quotas/', '/quotas//cpu', '/quotas/x/y/z', '/Quotas/x']) {
      expect(handlerOf(table, 'GET', path), path).toBeUndefined()
    }
    expect(handlerOf(table, 'DELETE', '/quotas/x')).toBeUndefined()
  })

  it('refuses paths that are more than literals and parameters', () => {
    for (const path of ['/*', '/:id/x/:id', '/a/:id?', '/a/:id{[0-9]+}', '/a/b*']) {
      expect(() => new RouteTable<string>().add('GET', path, 'x'), path).toThrow('literals and parameters')
    }
  })

  it("finds what Hono's trie finds first", () => {
    const segment = fc.constantFrom('a', 'b', ':x', ':y')
    // A name stands once in a path.
    const named = (segments: string[]) =>
      segments.map((each, at) => (each[0] === ':' ? `${each}${'abc'.charAt(at)}` : each))
    const route = fc.record({
      method: fc.constantFrom('GET', 'PUT', 'ALL'),
      segments: fc.array(segment, { minLength: 1, maxLength: 3 }).map(named),
    })
    const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(route, { minLength: 1, maxLength: 8 }), path, (routes, asked) => {
        // As the server mounts them: literals before parameters, and what answers all methods behind the methods.
        const rank = ({ method, segments }: (typeof routes)[number]) =>
          `${segments.map((one) => (one[0] === ':' ? '~' : one)).join('/')} ${method === 'ALL' ? '2' : '1'}`
        const sorted = [...routes].sort((left, right) =>
          rank(left) < rank(right) ? -1 : rank(left) > rank(right) ? 1 : 0,
        )
        const table = new RouteTable<string>()
        const trie = new TrieRouter<string>()
        for (const [index, { method, segments }] of sorted.entries()) {
          const full = `/${segments.join('/')}`
          table.add(method, full, `${index}`)
          trie.add(method, full, `${index}`)
        }
        const text = `/${asked.join('/')}`
        const [[expected]] = trie.match('GET', text)
        const found = handlerOf(table, 'GET', text)
        expect(found?.[0]).toBe(expected?.[0])
        if (expected !== undefined) expect({ ...found?.[1] }).toEqual({ ...expected[1] })
      }),
      { numRuns: 500 },
    )
  })
})
