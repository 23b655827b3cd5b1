/**
 * `GET /search` finds what the lists show and nothing else: for callers of every kind, texts taken out of real names are looked
 * for, and what is found is compared with the lists of the same caller, read one by one.
 */
import { nameKey } from '@plumbline/engine'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credential, send } from '../../proof/requests/call.js'
import { PASSWORD, type ProofPrincipal, type World } from '../../proof/world/model.js'
import type { App } from '../../src/app.js'

interface Found {
  readonly kind: string
  readonly id: string
  readonly name: string
  readonly detail: string | null
}
type Named = Pick<Found, 'id' | 'name'>

/** Where each kind is listed, and what its records are called. */
const LISTS: Readonly<Record<string, { path: string; key: string; name: string }>> = {
  rule: { path: '/compliance/rules?isActive=all&limit=1000', key: 'rules', name: 'name' },
  policy: { path: '/compliance/policies?isActive=all&limit=1000', key: 'policies', name: 'name' },
  pipeline: { path: '/pipelines?isActive=all&limit=1000', key: 'pipelines', name: 'pipelineName' },
  template: { path: '/pipeline-templates?isActive=all&limit=1000', key: 'templates', name: 'name' },
  plugin: { path: '/plugins?isActive=all&limit=1000', key: 'plugins', name: 'name' },
}
const KINDS = [...Object.keys(LISTS), 'member', 'exemption', 'finding']
const LIMIT = 20

export function foundByName(given: () => World): void {
  describe('a search', () => {
    let world: World
    let app: App
    beforeAll(() => {
      world = given()
      app = world.open()
    })
    afterAll(() => app?.close())

    const ask = async (as: ProofPrincipal, organization: number, target: string) => {
      const headers = { ...credential(as), 'x-org-id': world.organizations[organization]?.id ?? '' }
      const { status, text } = await send(app, { method: 'GET', target, headers })
      return { status, data: (JSON.parse(text) as { data: Record<string, unknown> }).data }
    }
    const search = async (as: ProofPrincipal, organization: number, q: string, more = '') => {
      const { status, data } = await ask(as, organization, `/search?q=${encodeURIComponent(q)}&limit=${LIMIT}${more}`)
      expect(status).toBe(200)
      return data.results as Found[]
    }
    /** What the lists show to the caller; empty where the caller may not list. */
    async function listed(as: ProofPrincipal, organization: number): Promise<Map<string, Named[]>> {
      const all = new Map<string, Named[]>()
      for (const [kind, { path, key, name }] of Object.entries(LISTS)) {
        const { status, data } = await ask(as, organization, path)
        const rows = status === 200 ? (data[key] as Record<string, string>[]) : []
        all.set(
          kind,
          rows.map((row) => ({ id: row.id ?? '', name: row[name] ?? '' })),
        )
      }
      return all
    }
    const people = ['owner', 'admin', 'member', 'parent admin', 'personal token'] as const
    const callers = () =>
      world.principals.filter(({ kind, home }) => home !== null && home < 6 && people.includes(kind as never))

    it('finds exactly what the lists of the same caller hold', async () => {
      const all = callers()
      expect(all.length).toBeGreaterThan(10)
      for (const as of all.slice(0, 5)) {
        const home = as.home as number
        const lists = await listed(as, home)
        const names = [...lists.values()].flat().map(({ name }) => name)
        const texts = fc
          .sample(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 12 })), 6)
          .flatMap(([which, from, length]) => {
            const letters = [...(names[which % Math.max(1, names.length)] ?? 'none')]
            const at = from % letters.length
            return [letters.slice(at, at + length).join('')]
          })
          .filter((text) => text.trim() !== '')
        for (const text of [...texts, ...texts.map((each) => each.toUpperCase())]) {
          const found = await search(as, home, text)
          for (const [kind, rows] of lists) {
            const wanted = nameKey(text.trim())
            const expected = rows.filter(({ name }) => nameKey(name).includes(wanted)).map(({ id }) => id)
            const got = found.filter((each) => each.kind === kind).map(({ id }) => id)
            expect(new Set(got).size).toBe(got.length)
            expect(
              got.filter((id) => !expected.includes(id)),
              `${kind} by ${JSON.stringify(text)}`,
            ).toEqual([])
            expect(got.length, `${kind} by ${JSON.stringify(text)}`).toBe(Math.min(LIMIT, expected.length))
          }
        }
      }
    })

    it('finds each record by its id, first of its kind, and nothing of another organization by any', async () => {
      const [as] = callers()
      if (as === undefined) throw new Error('no caller')
      const lists = await listed(as, as.home as number)
      for (const [kind, rows] of lists) {
        for (const { id } of rows.slice(0, 3)) {
          const found = await search(as, as.home as number, id.toUpperCase(), `&kinds=${kind}`)
          expect(found.map((each) => each.id)).toEqual([id])
        }
      }
      const things = (index: number) => Object.values(world.organizations[index]?.things ?? {}).flat()
      const others = world.organizations.filter(({ index }) => !as.sees.has(index)).map(({ index }) => index)
      expect(others.length).toBeGreaterThan(5)
      for (const text of others
        .slice(0, 4)
        .flatMap((index) => things(index).slice(0, 12))
        .filter((each) => each !== '')) {
        const found = await search(as, as.home as number, text.slice(0, 200))
        expect(
          found.filter(({ id, name }) => id === text || name === text),
          text,
        ).toEqual([])
      }
    })

    it('finds by a narrowed token what that token may list', async () => {
      const owner = world.principals.find(({ kind }) => kind === 'owner')
      if (owner === undefined) throw new Error('no owner')
      const home = owner.home as number
      const headers = { ...credential(owner), 'content-type': 'application/json' }
      const post = async (target: string, body: object, more = {}) => {
        const sent = { method: 'POST', target, headers: { ...headers, ...more }, body: JSON.stringify(body) }
        return (JSON.parse((await send(app, sent)).text) as { data: Record<string, string> }).data
      }
      const { stepUpToken } = await post('/auth/step-up', { method: 'password', password: PASSWORD })
      const wanted = {
        name: 'pipelines alone',
        organizationId: world.organizations[home]?.id,
        permissions: ['pipelines:read'],
      }
      const { token } = await post('/auth/pats', wanted, { 'x-step-up-token': stepUpToken })
      const narrowed: ProofPrincipal = { ...owner, kind: 'personal token', token: token ?? '' }
      const [all, few] = [await search(owner, home, 'a'), await search(narrowed, home, 'a')]
      expect(few).toEqual(all.filter(({ kind }) => kind === 'pipeline' || kind === 'template'))
      expect(few.length).toBeGreaterThan(0)
      expect(all.length).toBeGreaterThan(few.length)
      expect((await ask(narrowed, home, '/compliance/rules')).status).toBe(403)
    })

    it('finds no kind that the caller may not list', async () => {
      const service = world.principals.find(({ kind }) => kind === 'service')
      if (service === undefined) throw new Error('no service')
      const { status } = await ask(service, service.home as number, '/search?q=a')
      expect(status).toBe(403)
      const removed = world.principals.find(({ kind }) => kind === 'removed member')
      if (removed !== undefined)
        expect((await ask(removed, removed.home as number, '/search?q=a')).status).not.toBe(200)
    })

    it('knows every kind, and finds members and exemptions', async () => {
      const [owner] = callers()
      if (owner === undefined) throw new Error('no owner')
      const home = owner.home as number
      const { data } = await ask(owner, home, `/organization/${world.organizations[home]?.id}/members?limit=1000`)
      const members = data.members as { id: string; username: string }[]
      const [first] = members
      if (first === undefined) throw new Error('no member')
      expect((await search(owner, home, first.username, '&kinds=member')).map(({ id }) => id)).toContain(first.id)
      const exemptions = (await ask(owner, home, '/compliance/exemptions?limit=1000')).data.exemptions as {
        id: string
        reason: string
      }[]
      for (const { id, reason } of exemptions.slice(0, 3)) {
        expect((await search(owner, home, reason.slice(0, 60), '&kinds=exemption')).map((each) => each.id)).toContain(
          id,
        )
      }
      expect((await ask(owner, home, `/search?q=a&kinds=${KINDS.join(',')}`)).status).toBe(200)
      expect((await ask(owner, home, '/search?q=a&kinds=secret')).status).toBe(400)
      expect((await ask(owner, home, '/search?q=%20')).status).toBe(400)
    })
  })
}
