/**
 * Goal: a diff of policies and the impact of a rule give, over the whole inventory, the same results as evaluating each
 * record by itself. Of many concurrent requests only a few run, other requests are answered meanwhile, and a request
 * whose client has disconnected ends.
 */
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { compileRules, type Rule } from '@plumbline/engine'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { memberOf, recordKey, signUp, teamOf, unlock } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, giveCustomRole } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { EntitySource } from '../../runtime/inventory.js'
import type { Runtime } from '../../runtime/operation/context.js'

type Target = 'plugin' | 'pipeline'
const id = (n: number) => `99999999-9999-7999-8999-${String(n).padStart(12, '0')}`

/** Rules over a number `n`, so that each record passes some and fails others. */
const RULES = [
  { name: 'small', target: 'plugin', field: 'n', operator: 'lt', value: 40 },
  { name: 'smaller', target: 'plugin', field: 'n', operator: 'lt', value: 20 },
  { name: 'odd', target: 'plugin', severity: 'warning', field: 'odd', operator: 'eq', value: true },
  { name: 'soft', target: 'plugin', field: 'n', operator: 'gt', value: 5, mode: 'warn' },
  { name: 'seen', target: 'plugin', field: 'n', operator: 'gt', value: 50, mode: 'observe' },
  {
    name: 'gated',
    target: 'plugin',
    conditions: [{ dependsOnRule: 'smaller' }, { field: 'n', operator: 'gt', value: 9 }],
  },
  { name: 'described', target: 'pipeline', field: 'description', operator: 'notEmpty' },
  { name: 'long', target: 'pipeline', severity: 'critical', field: 'description', operator: 'lengthGt', value: 2 },
]

interface Side {
  readonly rules: readonly (typeof RULES)[number][]
}

await describeCompliance(
  'diffs of policies',
  { stores: WITH_POSTGRESQL, settings: { BILLING_ENABLED: 'true' } },
  (kit) => {
    let ada: SignedIn
    let amy: SignedIn
    let bob: SignedIn
    const ids = new Map<string, string>()
    beforeAll(async () => {
      ada = await signUp(kit.app, 'ada')
      amy = await memberOf(kit, ada, 'amy')
      bob = await signUp(kit.app, 'bob')
      for (const rule of RULES) {
        const made = await kit.call(ada, 'POST', '/rules', rule)
        expect(made.status, JSON.stringify(made.body)).toBe(201)
        ids.set(rule.name, made.data.rule.id)
      }
      const wanted = {
        ruleId: ids.get('small'),
        entityType: 'plugin',
        entityId: id(45),
        reason: 'until the next release',
      }
      const { exemption } = (await kit.call(amy, 'POST', '/exemptions', wanted)).data
      await kit.call(ada, 'PUT', `/exemptions/${exemption.id}/review`, { status: 'approved' })
    })
    beforeEach(() => kit.inventory.clear())

    const put = (n: number, orgId = ada.orgId, target: Target = 'plugin') => {
      const attributes = target === 'plugin' ? { n, odd: n % 2 === 1 } : { description: 'x'.repeat(n % 5) }
      const entity = { id: id(n), name: `record ${n}`, revision: 1, attributes }
      kit.inventory.set(recordKey(orgId, target, entity.id), entity)
      return { target, ...entity }
    }
    let versions = 0
    const policy = async (rules: readonly string[], more: object = {}): Promise<string> => {
      const body = { name: 'release', version: `${++versions}.0.0`, rules, ...more }
      const made = await kit.call(ada, 'POST', '/policies', body)
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return made.data.policy.id
    }
    const drop = async (...policies: string[]) => {
      for (const each of policies) await kit.call(ada, 'DELETE', `/policies/${each}`)
    }
    const diff = (of: string, query = '', as = ada) => kit.call(as, 'GET', `/policies/${of}/diff${query}`)

    /** The result of one record by the engine alone: 0 passes, 1 warns, 2 blocks. */
    function judged({ rules }: Side, { target, id: entityId, attributes }: ReturnType<typeof put>): 0 | 1 | 2 {
      const own = rules.filter((rule) => rule.target === target)
      const set = compileRules(own.map((rule) => ({ ...rule, id: rule.name }) as unknown as Rule))
      const found = set.evaluate(attributes).violations.flatMap(({ ruleName, severity }) => {
        const mode = RULES.find(({ name }) => name === ruleName)?.mode
        if (mode === 'observe' || (ruleName === 'small' && entityId === id(45))) return []
        return [severity === 'warning' || mode === 'warn' ? 1 : 2]
      })
      return Math.max(0, ...found) as 0 | 1 | 2
    }
    function expected(before: Side, after: Side, entities: readonly ReturnType<typeof put>[]) {
      const pairs = entities.map((entity) => [judged(before, entity), judged(after, entity)] as const)
      const those = (is: (before: number, after: number) => boolean) => pairs.filter(([a, b]) => is(a, b)).length
      return {
        total: pairs.length,
        newlyFailing: those((a, b) => a === 0 && b > 0),
        newlyPassing: those((a, b) => a > 0 && b === 0),
        stillFailing: those((a, b) => a > 0 && b > 0),
        stillPassing: those((a, b) => a === 0 && b === 0),
        newlyBlocked: those((a, b) => a < 2 && b === 2),
        noLongerBlocked: those((a, b) => a === 2 && b < 2),
      }
    }
    // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
    const counts = ({ newlyFailing, newlyPassing, ...more }: any) => ({
      total: more.total,
      newlyFailing: newlyFailing.total,
      newlyPassing: newlyPassing.total,
      stillFailing: more.stillFailing,
      stillPassing: more.stillPassing,
      newlyBlocked: more.newlyBlocked,
      noLongerBlocked: more.noLongerBlocked,
    })
    const named = (names: readonly string[]): Side => ({ rules: RULES.filter(({ name }) => names.includes(name)) })
    const some = fc.subarray(RULES.map(({ name }) => name))

    it('law: two versions are compared as the engine judges each record by either', async () => {
      const entities = [
        // More than two pages of plugins, so that one that is skipped or counted twice between pages shows.
        ...Array.from({ length: 430 }, (_, n) => put(n)),
        ...Array.from({ length: 30 }, (_, n) => put(n, ada.orgId, 'pipeline')),
      ]
      put(900, bob.orgId)
      await fc.assert(
        fc.asyncProperty(some, some, async (from, to) => {
          const [before, after] = [await policy(from), await policy(to)]
          const { status, data } = await diff(after, `?against=${before}`)
          expect(status).toBe(200)
          expect(counts(data)).toEqual(expected(named(from), named(to), entities))
          const added = to.filter((name) => !from.includes(name))
          expect(data.addedRules.map(({ name }: { name: string }) => name).sort()).toEqual(added.sort())
          await drop(before, after)
        }),
        { numRuns: 6 },
      )
    })

    it('law: what is in force is compared with what would be, with the version in place of the others of its name', async () => {
      const entities = Array.from({ length: 60 }, (_, n) => put(n))
      await fc.assert(
        fc.asyncProperty(some, some, async (now, then) => {
          const current = await policy(now)
          const next = await policy(then, { isActive: false })
          const { data } = await diff(next)
          const listed = new Set([...now, ...then])
          const free = RULES.filter(({ name }) => !listed.has(name)).map(({ name }) => name)
          expect(data.against).toBeNull()
          expect(counts(data)).toEqual(expected(named([...free, ...now]), named([...free, ...then]), entities))
          // The preview changed nothing.
          expect((await diff(next)).data).toEqual(data)
          await drop(current, next)
        }),
        { numRuns: 6 },
      )
    })

    it('names the first records that move, with the rules why', async () => {
      for (let n = 0; n < 60; n++) put(n)
      const [before, after] = [await policy(['small']), await policy(['smaller'])]
      const { data } = await diff(after, `?against=${before}&target=plugin`)
      expect(data).toMatchObject({
        policy: { id: after, name: 'release' },
        against: { id: before },
        addedRules: [{ name: 'smaller', target: 'plugin' }],
        removedRules: [{ name: 'small' }],
        // The record that is exempted from the old rule passes it, and fails the new one.
        newlyFailing: { total: 21 },
        newlyPassing: { total: 0, samples: [] },
      })
      expect(data.newlyFailing.samples).toHaveLength(10)
      expect(data.newlyFailing.samples[0]).toEqual({
        entityType: 'plugin',
        entityId: id(20),
        entityName: 'record 20',
        before: 'pass',
        after: 'block',
        rules: ['smaller'],
      })
      await drop(before, after)
    })

    it('a template is tried as if it were copied; the rules of a set need their feature', async () => {
      put(1)
      put(900, bob.orgId)
      const asSystem = { headers: { 'x-org-id': SYSTEM_ORG_ID } }
      const rule = { name: 'template', target: 'plugin', field: 'n', operator: 'lt', value: 10, isTemplate: true }
      expect((await kit.call(kit.root, 'POST', '/rules', rule, asSystem)).status).toBe(201)
      const body = { name: 'starter', isTemplate: true, rules: ['template'] }
      const template = (await kit.call(kit.root, 'POST', '/policies', body, asSystem)).data.policy.id
      const { data } = await diff(template, '', bob)
      expect(data).toMatchObject({ total: 1, newlyFailing: { total: 1 }, addedRules: [{ name: 'template' }] })
      await kit.publish({ ...rule, name: 'of a set', isTemplate: false, tags: ['set:standard'] })
      const bought = { name: 'bought', isTemplate: true, rules: ['of a set'] }
      const set = (await kit.call(kit.root, 'POST', '/policies', bought, asSystem)).data.policy.id
      for (const query of [
        ['', set],
        [`?against=${set}`, template],
      ] as const) {
        expect(await diff(query[1], query[0], bob)).toMatchObject({
          status: 403,
          body: { details: { reason: 'feature', requiredFeature: 'compliance_standard' } },
        })
      }
      await unlock(kit, bob.orgId, ['compliance_standard'])
      expect((await diff(set, '', bob)).data).toMatchObject({ addedRules: [{ name: 'of a set' }] })
    })

    it('in a team what its parent hands down stays, whatever the parent’s policies are called', async () => {
      const carl = await signUp(kit.app, 'carl')
      await unlock(kit, carl.orgId, [])
      const team = await teamOf(kit, carl, 'Team of carl')
      const down = { name: 'down', target: 'plugin', field: 'n', operator: 'lt', value: 5, propagateToChildren: true }
      expect((await kit.call(carl, 'POST', '/rules', down)).status).toBe(201)
      await kit.call(carl, 'POST', '/policies', { name: 'release', rules: ['down'] })
      await kit.call(team, 'POST', '/rules', { ...down, name: 'ours', value: 9, propagateToChildren: false })
      const of = (await kit.call(team, 'POST', '/policies', { name: 'release', version: '2.0.0', rules: ['ours'] }))
        .data
      put(7, team.orgId)
      expect((await diff(of.policy.id, '', team)).data).toMatchObject({ total: 1, stillFailing: 1, removedRules: [] })
    })

    it('a rule is tried on all records, beyond the first thousand, and others are answered meanwhile', async () => {
      for (let n = 0; n < 2345; n++) put(n)
      const rule = { name: 'draft', target: 'plugin', field: 'n', operator: 'lt', value: 2000 }
      let isDone = false
      const asked = kit.call(ada, 'POST', '/subscriptions/preview/impact', { rule }).then((answer) => {
        isDone = true
        return answer
      })
      const other = await kit.call(bob, 'GET', '/rules')
      expect([other.status, isDone]).toEqual([200, false])
      const { data } = await asked
      expect(data).toMatchObject({ total: 2345, wouldPass: 2000, wouldFail: 345, truncated: false })
      expect(data.samples.map(({ entityId }: { entityId: string }) => entityId)).toEqual(
        Array.from({ length: 10 }, (_, at) => id(2000 + at)),
      )
    })

    it('reads a page at a time, and never more', async () => {
      for (let n = 0; n < 1000; n++) put(n)
      const limits: number[] = []
      const restore = replacePages((page) => (db, orgId, asked) => {
        limits.push(asked.limit)
        return page(db, orgId, asked)
      })
      const of = await policy(['small'])
      await diff(of)
      restore()
      expect(Math.max(...limits)).toBeLessThanOrEqual(200)
      expect(limits.length).toBeGreaterThanOrEqual(5)
      await drop(of)
    })

    type Page = EntitySource['page']

    /** Replaces how pages of plugins are read. @returns a function that restores it. */
    function replacePages(replacement: (page: Page) => Page): () => void {
      const { entities = [] } = kit.app.runtime as Runtime
      const source = entities.find(({ target }) => target === 'plugin')
      if (source === undefined) throw new Error('nothing has plugins')
      const { page } = source
      Object.assign(source, { page: replacement(page) })
      return () => void Object.assign(source, { page })
    }

    /** An inventory without an end until `end` is called. */
    function endlessInventory() {
      const told = { begun: 0, pages: 0, end: () => {}, restore: () => {} }
      let isEndless = true
      told.end = () => {
        isEndless = false
      }
      told.restore = replacePages(() => async (_db, _orgId, { afterId, limit }) => {
        if (afterId === '') told.begun += 1
        told.pages += 1
        if (!isEndless) return []
        const from = afterId === '' ? 0 : Number(afterId.slice(-12)) + 1
        return Array.from({ length: limit }, (_, at) => put(from + at))
      })
      return told
    }
    const DRAFT = { name: 'draft', target: 'plugin', field: 'n', operator: 'gte', value: 0 }
    const impact = (as: SignedIn) => kit.call(as, 'POST', '/subscriptions/preview/impact', { rule: DRAFT })

    it('answers two of an account at once and four in all; anyone who comes beyond is told to come again', async () => {
      const of = await policy(['small'])
      const carol = await signUp(kit.app, 'carol')
      const dora = await signUp(kit.app, 'dora')
      await unlock(kit, bob.orgId, [])
      const team = await teamOf(kit, bob, 'Team of bob')
      const told = endlessInventory()
      try {
        const begun = async (count: number) => vi.waitFor(() => expect(told.begun).toBe(count), { timeout: 120_000 })
        /** The refusal; null when the request starts instead. */
        const refused = (answer: ReturnType<typeof impact>) => {
          const { begun: before } = told
          return Promise.race([answer, vi.waitUntil(() => told.begun > before, { timeout: 120_000 }).then(() => null)])
        }
        const asked = [impact(bob), impact(team)]
        await begun(2)
        // The teams of an account count as the account.
        for (const beyond of [await refused(impact(bob)), await refused(impact(team))]) {
          expect([beyond?.status, beyond?.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
          expect(Number(beyond?.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        asked.push(diff(of, '?target=plugin'), impact(carol))
        await begun(4)
        const beyond = await refused(impact(dora))
        expect([beyond?.status, beyond?.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
        expect(Number(beyond?.headers.get('retry-after'))).toBeGreaterThan(0)
        // Other operations are answered meanwhile.
        const before = told.pages
        expect((await kit.call(dora, 'GET', '/rules')).status).toBe(200)
        expect((await kit.call(dora, 'POST', '/validate/plugin', { attributes: { n: 1 } })).status).toBe(200)
        expect(told.begun).toBe(4)
        expect(told.pages).toBeGreaterThanOrEqual(before)
        told.end()
        expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
        // The slots are free again.
        for (const as of [bob, bob, team, dora]) expect((await impact(as)).status).toBe(200)
      } finally {
        told.end()
        told.restore()
        await drop(of)
      }
    })

    it('gives a place back that ended in an error', async () => {
      const restore = replacePages(() => () => Promise.reject(new Error('the disk is gone')))
      for (let n = 0; n < 3; n++) expect((await impact(bob)).status).toBe(500)
      restore()
      expect(kit.app.errors.splice(0).map(String)).toEqual(Array.from({ length: 3 }, () => 'Error: the disk is gone'))
      expect((await impact(bob)).status).toBe(200)
    })

    it.each(['impact', 'diff'])('%s: ends when its client is gone', async (kind) => {
      const of = await policy(['small'])
      const told = endlessInventory()
      const server = createAdaptorServer({ fetch: kit.app.http.fetch })
      try {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const { port } = server.address() as AddressInfo
        const way =
          kind === 'impact'
            ? { method: 'POST', path: '/api/compliance/subscriptions/preview/impact' }
            : { method: 'GET', path: `/api/compliance/policies/${of}/diff?target=plugin` }
        const headers = { authorization: `Bearer ${ada.accessToken}`, 'x-org-id': ada.orgId }
        for (let n = 1; n <= 3; n++) {
          const sent = request({
            ...{ host: '127.0.0.1', port, ...way },
            headers: kind === 'impact' ? { ...headers, 'content-type': 'application/json' } : headers,
          })
          sent.on('error', () => undefined)
          sent.end(kind === 'impact' ? JSON.stringify({ rule: DRAFT }) : undefined)
          await vi.waitFor(() => expect(told.begun).toBe(n), { timeout: 120_000 })
          sent.destroy()
          // No further page is read, and the slot is free: else the third request would be refused.
          await vi.waitFor(
            async () => {
              const { pages } = told
              for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
              expect(told.pages).toBe(pages)
            },
            { timeout: 120_000 },
          )
        }
      } finally {
        told.end()
        told.restore()
        server.close()
        await drop(of)
      }
    })

    it('needs `compliance:read`; another organization’s policies and records are not there', async () => {
      put(1)
      const of = await policy(['small'])
      const theirs = (await kit.call(bob, 'POST', '/policies', { name: 'theirs', rules: [] })).data.policy.id
      expect((await diff(of, '', bob)).code).toBe('NOT_FOUND')
      expect((await diff(theirs, `?against=${of}`, bob)).code).toBe('NOT_FOUND')
      expect((await diff(theirs, '', bob)).data).toMatchObject({ total: 0 })
      expect((await diff(of, '', amy)).status).toBe(200)
      expect((await diff(of, `?against=${of}`)).status).toBe(400)
      const blind = await enrol(kit.app, await signUp(kit.app, 'blind'), ada.orgId, [])
      await giveCustomRole(kit.app, ada.orgId, blind.userId, ['plugins:read'])
      expect((await diff(of, '', { ...blind, orgId: ada.orgId })).status).toBe(403)
      await drop(of)
    })
  },
)
