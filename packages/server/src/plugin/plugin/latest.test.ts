/**
 * Goal: after any changes of versions, exactly those are marked as latest for which no live, active version of the same
 * name is higher.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { pipelineApp } from '../../../test/support/pipelines.js'
import type { Store } from '../../runtime/store/db.js'
import { loadSystemPlugins } from '../system/load.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { versionKey } from '../version.js'
import { insertPlugin, savePlugin } from './save.js'

await describeStores('the latest version of a name', BOTH_DATABASES, (open) => {
  let store: Store
  let like: PluginRow
  beforeAll(async () => {
    store = await open()
    const { app } = await pipelineApp(store)
    await loadSystemPlugins(app.runtime)
    const [row] = await store.system.read((db) => db.select().from(pluginTables(db).plugins).limit(1))
    if (row === undefined) throw new Error('no plugin ships')
    like = row
  })
  afterAll(() => store.close())

  const VERSIONS = ['0.9.0', '1.0.0-rc.1', '1.0.0', '1.0.0+build.2', '1.10.0', '1.9.0']
  const change = fc.record({
    org: fc.constantFrom('a', 'b'),
    name: fc.constantFrom('x', 'y'),
    version: fc.constantFrom(...VERSIONS),
    isActive: fc.boolean(),
    isDeleted: fc.boolean(),
  })

  it('is kept through uploads, builds, deletions and restorations', async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const run = `${++runs}`
        const rows = new Map<string, PluginRow>()
        for (const { org, name, version, isActive, isDeleted } of changes) {
          const id = `${run} ${org} ${name} ${version}`
          const next: PluginRow = {
            ...(rows.get(id) ?? like),
            id,
            orgId: `${run}${org}`,
            name,
            version,
            versionKey: versionKey(version),
            isActive,
            isDefault: false,
            deletedAtMs: isDeleted && rows.has(id) ? 1 : null,
          }
          await store.system.write((tx) => (rows.has(id) ? savePlugin(tx, next) : insertPlugin(tx, next)))
          rows.set(id, next)
        }
        const all = [...rows.values()]
        const higher = (row: PluginRow) =>
          all.some(
            (each) =>
              each.orgId === row.orgId &&
              each.name === row.name &&
              each.versionKey > row.versionKey &&
              each.isActive &&
              each.deletedAtMs === null,
          )
        const stored = await store.system.read((db) => db.select().from(pluginTables(db).plugins))
        const marked = stored.filter(({ id, isLatest }) => rows.has(id) && isLatest).map(({ id }) => id)
        expect(marked.sort()).toEqual(
          all
            .filter((row) => !higher(row))
            .map(({ id }) => id)
            .sort(),
        )
      }),
      { numRuns: 40 },
    )
  })
})
