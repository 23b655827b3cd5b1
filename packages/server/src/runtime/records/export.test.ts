/**
 * Goal: an export has each row of the organization once, whatever its pages; and what goes through all rows of a long table
 * enters an index where the page before ended, so that the last page costs what the first did.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wrongSteps } from '../../../proof/isolation/plans.js'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { complianceRegistration } from '../../compliance/registration.js'
import { messageRegistration } from '../../message/registration.js'
import { notificationRegistration } from '../../notification/registration.js'
import { pipelineEntities } from '../../pipeline/entities.js'
import { pipelineRegistration } from '../../pipeline/registration.js'
import { pipelineTables } from '../../pipeline/tables.js'
import { pluginEntities } from '../../plugin/entities.js'
import { pluginRegistration } from '../../plugin/registration.js'
import type { DomainRegistration } from '../operation/registration.js'
import type { Db, Store } from '../store/db.js'
import type { SqliteStore } from '../store/sqlite.js'
import { sqliteDriver } from '../store/sqlite-driver.js'
import { ownRowsAlong } from './export.js'

await describeStores('pages along an index', BOTH_DATABASES, (open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  const revision = fc.record({ pipelineId: fc.constantFrom('a', 'b', 'b b', '"'), revision: fc.nat(12) })
  const page = fc.integer({ min: 1, max: 5 })
  it('have every row once, in order, and none of another organization', async () => {
    let orgs = 0
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(revision, { selector: JSON.stringify }), page, async (keys, rowsMax) => {
        const prefix = `${++orgs}`
        const { pipelineRevisions: t } = pipelineTables(store)
        const row = { change: 'updated', changedAtMs: 1, changedBy: 'u', record: {} as never }
        await store.system.write(async (tx) => {
          for (const [n, key] of keys.entries()) {
            const orgId = n % 3 === 0 ? 'other' : prefix
            await tx.insert(t).values({ ...row, ...key, pipelineId: `${prefix}${key.pipelineId}`, orgId })
          }
        })
        const seen: string[] = []
        for (let after: string | undefined = ''; after !== undefined; ) {
          const at: string = after
          const read = (db: Db) =>
            ownRowsAlong(db, t, [t.pipelineId, t.revision], { orgId: prefix, after: at, rowsMax })
          const rows = await store.system.read(read)
          seen.push(...rows.map(({ row: { pipelineId, revision: n } }) => `${pipelineId}/${n}`))
          after = rows.at(-1)?.key
        }
        const own = keys.filter((_, n) => n % 3 !== 0)
        const wanted = own.sort(
          (a, b) =>
            (a.pipelineId < b.pipelineId ? -1 : 1) * (a.pipelineId === b.pipelineId ? 0 : 1) || a.revision - b.revision,
        )
        // The order of texts is the database's; of one pipeline the revisions rise.
        expect([...seen].sort()).toEqual(wanted.map((key) => `${prefix}${key.pipelineId}/${key.revision}`).sort())
        for (const id of new Set(own.map((key) => key.pipelineId))) {
          const of = seen.filter((each) => each.startsWith(`${prefix}${id}/`))
          expect(of).toEqual(
            wanted.filter((key) => key.pipelineId === id).map((key) => `${prefix}${id}/${key.revision}`),
          )
        }
      }),
      { numRuns: 30 },
    )
  })
})

/** Tables whose rows of one organization are few: made one at a time by people, or bounded. */
const SHORT = new Set([
  'compliance_rules',
  'compliance_rule_history',
  'compliance_rule_versions',
  'compliance_subscription_intervals',
  'compliance_policy_rule_intervals',
  'compliance_subscriptions',
  'compliance_policies',
  'compliance_exemptions',
  'compliance_scans',
  'compliance_scan_schedules',
  'pipeline_templates',
])

let store: SqliteStore
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

/** What the writer's connection is asked while `run` runs, with its plan. */
async function plansOf(run: (read: <T>(ask: (db: Db) => Promise<T>) => Promise<T>) => Promise<unknown>) {
  const texts: string[] = []
  const { prototype } = sqliteDriver().Database as unknown as {
    prototype: { prepare(text: string): unknown }
  }
  const { prepare } = prototype
  prototype.prepare = function (text: string) {
    texts.push(text)
    return prepare.call(this, text)
  }
  try {
    await run((ask) => store.system.read(ask))
  } finally {
    prototype.prepare = prepare
  }
  const found: { table: string; plan: string; wrong: readonly string[] }[] = []
  for (const text of texts.filter((each) => /order by/i.test(each))) {
    const parameters = Array.from({ length: text.split('?').length - 1 }, () => null)
    const steps = store.writer.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...parameters)
    const table = / from "(\w+)"/i.exec(text)?.[1] ?? text
    const plan = steps.map(({ detail }) => detail).join('; ')
    found.push({ table, plan, wrong: wrongSteps(store.writer, text) })
  }
  return found
}

const SORTED = /USE TEMP B-TREE/
const all = (domain: DomainRegistration) => async (read: Parameters<typeof domain.exportRows>[0]) => {
  for await (const _ of domain.exportRows(read, 'o', new Set(domain.exportSections)));
}

it.each([
  ['compliance', complianceRegistration],
  ['notification', notificationRegistration],
  ['pipeline', pipelineRegistration],
  ['plugin', pluginRegistration],
  ['message', messageRegistration],
] as const)('the export of the domain %s sorts no long table', async (_, domain) => {
  const plans = await plansOf(all(domain))
  expect(plans.length).toBeGreaterThan(0)
  expect(plans.filter(({ table, plan }) => SORTED.test(plan) && !SHORT.has(table))).toEqual([])
  expect(plans.flatMap(({ wrong }) => wrong)).toEqual([])
})

it.each([pipelineEntities, pluginEntities])('a scan goes on behind the last record: $target', async (source) => {
  const plans = await plansOf((read) =>
    read((db) => source.page(db, 'o', { afterId: 'x', limit: 7, filter: { name: 'n' } })),
  )
  expect(plans.map(({ plan }) => plan)).toEqual([expect.stringMatching(/_all \(org_id=\? AND id>\?\)$/)])
})

it('goes on behind the last revision, by the whole key', async () => {
  const [found] = await plansOf((read) =>
    read((db) => {
      const { pipelineRevisions: t } = pipelineTables(db)
      return ownRowsAlong(db, t, [t.pipelineId, t.revision], { orgId: 'o', after: '["p",1]' })
    }),
  )
  expect(found?.plan).toMatch(/pipeline_revisions_org \(org_id=\? AND \(pipeline_id,revision\)>\(\?,\?\)\)/)
})
