/**
 * The state of findings: after any scans, re-checks, exemptions, deletions and changes of rules, in any order of
 * writes, the stored state equals the state that is recomputed from the check log and the exemptions. Lists, facets,
 * exports and the summary agree with it, and no organization sees the findings of another.
 */

import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it, vi } from 'vitest'
import { noLatest, recordKey, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, runJobs } from '../../../test/support/organizations.js'
import { type SignedIn, signIn } from '../../../test/support/sign-in.js'
import { DAY_MS, HOUR_MS } from '../../runtime/clock.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { RECHECK_JOB } from '../../runtime/records/entity.js'
import { keepFindings } from '../check/keep-findings.js'
import { recheckJob } from '../recheck/job.js'
import { scanJob } from '../scan/job.js'
import { rescanJob, rescanOthersJob } from '../scan/rescan.js'
import { type CheckRow, complianceTables } from '../tables.js'

const JOBS = [recheckJob, scanJob, rescanJob, rescanOthersJob]
const idOf = (index: number): string => `99999999-9999-7999-8999-99999999999${index}`

function signal(): { readonly given: Promise<void>; give(): void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}

type Step =
  | { readonly kind: 'change'; readonly entity: number; readonly version: string; readonly name: string }
  | { readonly kind: 'remove' | 'request' | 'approve' | 'revoke'; readonly entity: number }
  | { readonly kind: 'scan' | 'wait' | 'rule' }

const entity = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('change' as const),
    entity,
    version: fc.constantFrom('latest', '1.0.0'),
    name: fc.constantFrom('bad', 'good'),
  }),
  fc.record({
    kind: fc.constantFrom('remove' as const, 'request' as const, 'approve' as const, 'revoke' as const),
    entity,
  }),
  fc.record({ kind: fc.constantFrom('scan' as const, 'wait' as const, 'rule' as const) }),
)

await describeCompliance(
  'state of findings',
  { stores: WITH_POSTGRESQL, settings: { JWT_EXPIRES_IN: '86400' } },
  (kit, database) => {
    let ada: SignedIn
    let ben: SignedIn
    let runs = 0

    const newOrganization = async (): Promise<void> => {
      runs += 1
      ada = await signUp(kit.app, `ada${runs}`)
      ben = await enrol(kit.app, await signUp(kit.app, `ben${runs}`), ada.orgId, ['Admin'])
    }
    beforeAll(newOrganization)

    const eventFor = async (index: number, eventType: string): Promise<void> => {
      const payload = {
        eventId: kit.app.runtime.ids.next(),
        orgId: ada.orgId,
        target: 'plugin',
        entityId: idOf(index),
        eventType,
        userId: ada.userId,
        timestampMs: kit.app.clock.now(),
      }
      await kit.store.system.write((tx) =>
        enqueue(tx, kit.app.runtime, { kind: RECHECK_JOB, orgId: ada.orgId, payload }),
      )
      await runJobs(kit.app, JOBS)
    }
    const change = async (index: number, version: string, name: string, ownerId: string | null = null) => {
      const attributes = { version, name, ownerId }
      const record = { id: idOf(index), name: `plugin ${index}`, revision: 1, attributes }
      kit.inventory.set(recordKey(ada.orgId, 'plugin', idOf(index)), record)
      await eventFor(index, 'updated')
    }

    /** The expected state, from the check log, the deletions and the exemptions alone. */
    async function recomputed(deleted: ReadonlyMap<string, number>): Promise<Map<string, string>> {
      const rows = await kit.store.system.read((db) => {
        const { checks: t } = complianceTables(db)
        return db.select().from(t).where(eq(t.orgId, ada.orgId)).orderBy(asc(t.createdAtMs), asc(t.id))
      })
      const states = new Map<string, string>()
      for (const row of rows as CheckRow[]) {
        if (row.action !== 'recheck' && row.action !== 'scan') continue
        const seen = [
          ...(row.violations as { ruleName: string }[]),
          ...((row.exempted ?? []) as { violation: { ruleName: string } }[]).map(({ violation }) => violation),
        ].map(({ ruleName }) => `${row.entityId} ${ruleName}`)
        for (const key of states.keys()) if (key.startsWith(`${row.entityId} `)) states.set(key, 'fixed')
        for (const key of seen) states.set(key, 'open')
      }
      for (const key of states.keys()) if (deleted.has(key.split(' ')[0] ?? '')) states.set(key, 'fixed')
      const { data } = await kit.call(ada, 'GET', '/exemptions?limit=1000')
      const rules = new Map<string, string>()
      for (const { id, name } of (await kit.call(ada, 'GET', '/rules?limit=100')).data.rules) rules.set(id, name)
      for (const [status, state] of [
        ['pending', 'requested'],
        ['approved', 'exempted'],
      ] as const) {
        for (const each of data.exemptions.filter((one: { status: string }) => one.status === status)) {
          const key = `${each.entityId} ${rules.get(each.ruleId)}`
          if (states.get(key) === 'open') states.set(key, state)
        }
      }
      return states
    }

    async function listed(query = ''): Promise<Map<string, string>> {
      const { data } = await kit.call(ada, 'GET', `/findings?limit=1000${query}`)
      return new Map(
        data.findings.map((each: Record<string, string>) => [`${each['entityId']} ${each['ruleName']}`, each['state']]),
      )
    }

    const counted = (states: Map<string, string>) =>
      Object.fromEntries(
        ['open', 'requested', 'exempted', 'fixed'].map((name) => [
          name,
          [...states.values()].filter((state) => state === name).length,
        ]),
      )

    it('is the one recomputed from nothing, after any steps', { timeout: 180_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
          await newOrganization()
          kit.inventory.clear()
          const rule = (await kit.call(ada, 'POST', '/rules', noLatest('no latest'))).data.rule
          const deleted = new Map<string, number>()
          const exemptions = new Map<number, string>()
          let others = 0
          await change(0, 'latest', 'bad')
          for (const each of steps) {
            kit.app.clock.advance(1000)
            switch (each.kind) {
              case 'change':
                deleted.delete(idOf(each.entity))
                await change(each.entity, each.version, each.name)
                break
              case 'remove':
                if (!kit.inventory.delete(recordKey(ada.orgId, 'plugin', idOf(each.entity)))) break
                deleted.set(idOf(each.entity), kit.app.clock.now())
                await eventFor(each.entity, 'deleted')
                break
              case 'request': {
                const body = { ruleId: rule.id, entityType: 'plugin', entityId: idOf(each.entity), reason: 'a trial' }
                const expiresAt = new Date(kit.app.clock.now() + HOUR_MS).toISOString()
                const answer = await kit.call(
                  ben,
                  'POST',
                  '/exemptions',
                  { ...body, expiresAt },
                  { headers: { 'x-org-id': ada.orgId } },
                )
                if (answer.status === 201) exemptions.set(each.entity, answer.data.exemption.id)
                break
              }
              case 'approve':
              case 'revoke': {
                const id = exemptions.get(each.entity)
                if (id === undefined) break
                if (each.kind === 'approve')
                  await kit.call(ada, 'PUT', `/exemptions/${id}/review`, { status: 'approved' })
                else await kit.call(ada, 'DELETE', `/exemptions/${id}`)
                break
              }
              case 'scan':
                await kit.call(ada, 'POST', '/scans', { target: 'plugin' })
                await runJobs(kit.app, JOBS)
                break
              case 'wait':
                kit.app.clock.advance(HOUR_MS)
                break
              case 'rule':
                others += 1
                await kit.call(ada, 'POST', '/rules', {
                  name: `not bad ${others}`,
                  target: 'plugin',
                  field: 'name',
                  operator: 'neq',
                  value: 'bad',
                  severity: 'warning',
                })
                break
            }
          }
          const expected = await recomputed(deleted)
          const sorted = (states: Map<string, string>) => [...states].sort()
          expect(sorted(await listed())).toEqual(sorted(expected))
          for (const state of ['open', 'requested', 'exempted', 'fixed']) {
            const only = new Map([...expected].filter(([, each]) => each === state))
            expect(sorted(await listed(`&state=${state}`))).toEqual(sorted(only))
          }
          const facets = (await kit.call(ada, 'GET', '/findings/facets')).data
          expect([facets.total, facets.states]).toEqual([expected.size, counted(expected)])
          expect((await kit.call(ada, 'GET', '/summary')).data.findings.states).toEqual(counted(expected))
          const { rules, records } = (await kit.call(ada, 'GET', '/rules/coverage')).data
          expect(records).toEqual({ plugin: kit.inventory.size, pipeline: 0 })
          for (const { ruleName, open, requested, exempted } of rules) {
            const ofRule = new Map([...expected].filter(([key]) => key.endsWith(` ${ruleName}`)))
            expect({ fixed: counted(ofRule)['fixed'], open, requested, exempted }).toEqual(counted(ofRule))
          }
        }),
        { numRuns: 8 },
      )
    })

    it('does not depend on the order in which looks are written', async () => {
      const look = fc.record({ entity: fc.nat(1), violated: fc.subarray(['r1', 'r2']) })
      await fc.assert(
        fc.asyncProperty(
          fc.array(look, { minLength: 1, maxLength: 6 }).chain((looks) =>
            fc.tuple(
              fc.constant(looks),
              fc.shuffledSubarray(
                looks.map((_, at) => at),
                { minLength: looks.length },
              ),
            ),
          ),
          async ([looks, order]) => {
            const orgId = kit.app.runtime.ids.next()
            const rows = looks.map(({ entity: of, violated }, at) => rowOf(orgId, idOf(of), at + 1, violated))
            for (const at of order) {
              await kit.store.system.write(async (tx) => {
                const row = rows[at] as CheckRow
                await tx.insert(complianceTables(tx).checks).values(row)
                await keepFindings(tx, kit.app.runtime.ids, [{ row, keys: [], ownerId: null }])
              })
            }
            const kept = await kit.store.system.read((db) => {
              const { findings: t } = complianceTables(db)
              return db.select().from(t).where(eq(t.orgId, orgId))
            })
            const open = kept
              .filter(({ fixedAtMs }) => fixedAtMs === null)
              .map((each) => `${each.entityId} ${each.ruleId}`)
            const last = new Map(looks.map(({ entity: of, violated }) => [idOf(of), violated]))
            const expected = [...last].flatMap(([id, violated]) => violated.map((rule) => `${id} ${rule}`))
            expect(open.sort()).toEqual(expected.sort())
          },
        ),
        { numRuns: 40 },
      )
    })

    const keep = async (row: CheckRow, before: () => Promise<unknown> = async () => undefined) =>
      kit.store.system.write(async (tx) => {
        await tx.insert(complianceTables(tx).checks).values(row)
        await keepFindings(tx, kit.app.runtime.ids, [{ row, keys: [], ownerId: null }])
        await before()
      })
    const openOf = (orgId: string) =>
      kit.store.system.read((db) => {
        const { findings: t } = complianceTables(db)
        return db
          .select({ ruleId: t.ruleId })
          .from(t)
          .where(and(eq(t.orgId, orgId), isNull(t.fixedAtMs)))
      })

    if (database === 'PostgreSQL') {
      const waits = async () => {
        const waiting = sql`SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`
        expect(await kit.store.system.read((db) => db.rows(waiting))).not.toEqual([])
      }

      it.each([
        ['older', [1, 2]],
        ['newer', [2, 1]],
      ] as const)(
        'keeps the newer of two looks that are written at once, the %s one first',
        async (_, [one, other]) => {
          const orgId = kit.app.runtime.ids.next()
          // The newer look finds nothing.
          const look = (atMs: number) => rowOf(orgId, idOf(0), atMs, atMs === 2 ? [] : ['r1'])
          const [written, end] = [signal(), signal()]
          const first = keep(look(one), () => {
            written.give()
            return end.given
          })
          await written.given
          // The second waits for the first. If nothing made it wait, it would end.
          const second = keep(look(other))
          await Promise.race([second, vi.waitFor(waits, 60_000)])
          end.give()
          await first
          await second
          expect(await openOf(orgId)).toEqual([])
        },
      )
    }

    it('keeps nothing of a record that was deleted after it was read', async () => {
      await newOrganization()
      const read = rowOf(ada.orgId, idOf(0), kit.app.clock.now(), ['r1'])
      kit.app.clock.advance(1)
      await eventFor(0, 'deleted')
      await keep(read)
      expect(await openOf(ada.orgId)).toEqual([])
    })

    const rowOf = (orgId: string, entityId: string, atMs: number, violated: readonly string[]): CheckRow => ({
      id: kit.app.runtime.ids.next(),
      orgId,
      userId: null,
      target: 'plugin',
      action: 'recheck',
      entityId,
      entityName: 'a plugin',
      result: violated.length === 0 ? 'pass' : 'block',
      violations: violated.map((ruleId) => ({
        ruleId,
        ruleName: ruleId,
        severity: 'error',
        source: 'own',
        policyIds: [],
      })),
      observed: [],
      exempted: null,
      unresolved: null,
      ruleText: '',
      ruleCount: 2,
      rulesSkipped: 0,
      exemptionsApplied: [],
      attributesHash: '',
      scanId: null,
      eventId: null,
      createdAtMs: atMs,
    })

    it('tells since when, and when it was first seen; one finding is found by its id, by its organization alone', async () => {
      await newOrganization()
      await kit.call(ada, 'POST', '/rules', noLatest('no latest', { severity: 'critical' }))
      const startMs = kit.app.clock.now()
      const iso = (ms: number) => new Date(ms).toISOString()
      await change(0, 'latest', 'good')
      kit.app.clock.advance(1000)
      await change(0, '1.0.0', 'good')
      kit.app.clock.advance(1000)
      await change(0, 'latest', 'good')
      kit.app.clock.advance(1000)
      await change(0, 'latest', 'good')
      const { findings } = (await kit.call(ada, 'GET', '/findings')).data
      expect(findings).toHaveLength(1)
      const [finding] = findings
      expect(finding).toMatchObject({
        state: 'open',
        severity: 'critical',
        firstSeenAt: iso(startMs),
        since: iso(startMs + 2000),
        lastSeenAt: iso(startMs + 3000),
        fixedAt: null,
        expected: 'latest',
        actual: 'latest',
      })
      expect((await kit.call(ada, 'GET', `/findings/${finding.id}`)).data.finding).toEqual(finding)
      const eve = await signUp(kit.app, `eve${runs}`)
      expect((await kit.call(eve, 'GET', `/findings/${finding.id}`)).status).toBe(404)
      expect((await kit.call(eve, 'GET', '/findings')).data.findings).toEqual([])
      expect((await kit.call(eve, 'GET', '/findings/facets')).data.total).toBe(0)
      expect((await kit.call(eve, 'GET', '/summary')).data.checks).toEqual({ pass: 0, warn: 0, block: 0 })
    })

    it('are found and counted by the owner of the record and by the controls of the rule', async () => {
      await newOrganization()
      await kit.call(ada, 'POST', '/rules', noLatest('no latest', { tags: ['control:6.5.2', 'control:7.1'] }))
      await kit.call(
        ada,
        'POST',
        '/rules',
        noLatest('no bad', { field: 'name', value: 'bad', tags: ['control:6.5', 'x'] }),
      )
      await change(0, 'latest', 'bad', ben.userId)
      await change(1, 'latest', 'good')
      const asked = async (query: string): Promise<string[]> =>
        (await kit.call(ada, 'GET', `/findings?${query}&sortBy=ruleName&sortOrder=asc`)).data.findings.map(
          ({ ruleName, ownerId }: { ruleName: string; ownerId: string | null }) => `${ruleName} of ${ownerId}`,
        )
      expect(await asked(`ownerId=${ben.userId}`)).toEqual([`no bad of ${ben.userId}`, `no latest of ${ben.userId}`])
      expect(await asked('ownerId=unowned')).toEqual(['no latest of null'])
      expect((await asked('control=6.5.2')).length).toBe(2)
      expect(await asked('control=6.5')).toEqual([`no bad of ${ben.userId}`])
      expect(await asked('control=5.2')).toEqual([])
      const facets = async (query = '') => (await kit.call(ada, 'GET', `/findings/facets${query}`)).data
      expect(await facets()).toMatchObject({
        owners: [
          { ownerId: ben.userId, findings: 2 },
          { ownerId: null, findings: 1 },
        ],
        controls: [
          { control: '6.5.2', findings: 2 },
          { control: '7.1', findings: 2 },
          { control: '6.5', findings: 1 },
        ],
      })
      expect((await facets('?control=6.5')).rules).toMatchObject([{ ruleName: 'no bad', findings: 1 }])
      // The owner is that of the last check.
      await change(0, 'latest', 'bad')
      expect((await facets()).owners).toEqual([{ ownerId: null, findings: 3 }])
    })

    it('counts each day by result, severity and rule as the check log does', async () => {
      await newOrganization()
      await kit.call(ada, 'POST', '/rules', noLatest('no latest'))
      for (const [day, version] of ['latest', '1.0.0', 'latest', 'latest'].entries()) {
        await change(day % 2, version, 'good')
        if (day % 2 === 1) kit.app.clock.advance(DAY_MS)
      }
      ada = { ...ada, ...(await signIn(kit.app, ada.username)) }
      const { entries } = (await kit.call(ada, 'GET', '/audit?limit=1000')).data
      const of = (day: string | null, result: string): number =>
        entries.filter(
          (each: Record<string, string>) =>
            each['result'] === result && (day === null || each['createdAt']?.startsWith(day) === true),
        ).length
      const results = (day: string | null) => ({
        pass: of(day, 'pass'),
        warn: of(day, 'warn'),
        block: of(day, 'block'),
      })
      const { data } = await kit.call(ada, 'GET', '/summary?days=3')
      expect(results(null).block).toBeGreaterThan(2)
      expect(data.checks).toEqual(results(null))
      const today = Math.floor(kit.app.clock.now() / DAY_MS)
      const days = [2, 1, 0].map((ago) => new Date((today - ago) * DAY_MS).toISOString().slice(0, 10))
      expect(data.days.map(({ day }: { day: string }) => day)).toEqual(days)
      expect(data.days.map(({ checks }: { checks: unknown }) => checks)).toEqual(days.map(results))
      expect(data.days[1].severities).toEqual({ warning: 0, error: of(days[1] ?? '', 'block'), critical: 0 })
      expect(data.rules.map((each: { ruleName: string; checks: number }) => [each.ruleName, each.checks])).toEqual([
        ['no latest', of(null, 'block')],
      ])
      const { data: narrow } = await kit.call(ada, 'GET', '/summary?days=1')
      expect(narrow.days).toHaveLength(1)
    })

    it('is exported by the same filters, as lines, as a table and for scanners', async () => {
      const text = async (query: string): Promise<string> => {
        const response = await kit.app.http.request(`/api/compliance/findings/export?${query}`, {
          headers: { authorization: `Bearer ${ada.accessToken}`, 'x-org-id': ada.orgId },
        })
        expect(response.status).toBe(200)
        return response.text()
      }
      const lines = (await text('state=open'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.map(({ state }) => state)).toEqual(['open', 'open'])
      expect(await text('state=fixed')).toBe('')
      expect((await text('format=csv&ruleId=nothing')).trim().split('\n')).toHaveLength(1)
      expect((await text('format=csv')).trim().split('\n')).toHaveLength(3)
      const log = JSON.parse(await text('format=sarif&q=LATEST'))
      expect(log.runs[0].results).toHaveLength(2)
      expect((await kit.call(ada, 'GET', '/findings?q=nobody')).data.findings).toEqual([])
    })

    it('sorts and pages without repeating a finding', async () => {
      const seen = new Set<string>()
      for (const sortBy of ['updatedAt', 'createdAt', 'severity', 'ruleName', 'entityName']) {
        for (const offset of [0, 1]) {
          const { data } = await kit.call(ada, 'GET', `/findings?sortBy=${sortBy}&limit=1&offset=${offset}`)
          expect(data.pagination.total).toBe(2)
          seen.add(`${sortBy} ${data.findings[0].id}`)
        }
      }
      expect(seen.size).toBe(10)
    })
  },
)
