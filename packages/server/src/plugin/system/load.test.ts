/**
 * Goal: the shipped plugins exist after the first load, loading them again changes nothing, missing ones are added, and
 * those that an operator changed or deleted are left as they are.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { type PluginApp, pluginApp } from '../../../test/support/plugins.js'
import { evidence } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Store } from '../../runtime/store/db.js'
import { savePlugin } from '../plugin/save.js'
import { purgePlugins } from '../plugin/tombstone.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { loadSystemPlugins } from './load.js'
import { SYSTEM_PLUGINS } from './plugins.js'

const names = SYSTEM_PLUGINS.map(({ name }) => name)

await describeStores('the shipped plugins', BOTH_DATABASES, (open) => {
  let store: Store
  let app: PluginApp
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store)
  })
  afterAll(() => store.close())

  const stored = (): Promise<PluginRow[]> =>
    store.system.read(async (db) => {
      const { plugins: t } = pluginTables(db)
      return db.select().from(t).where(eq(t.orgId, SYSTEM_ORG_ID))
    })
  const named = async (name: string) => (await stored()).find((row) => row.name === name) as PluginRow
  const [first = '', second = '', third = ''] = names

  it('are published whole, once, also when replicas load them together', async () => {
    const loads = await Promise.all([loadSystemPlugins(app.runtime), loadSystemPlugins(app.runtime)])
    expect(loads.flat().sort()).toEqual([...names].sort())
    const rows = await stored()
    expect(rows.map(({ name }) => name).sort()).toEqual([...names].sort())
    for (const row of rows) {
      expect(row).toMatchObject({
        accessModifier: 'public',
        buildType: 'metadata_only',
        isActive: true,
        isDefault: true,
      })
    }
    const made = (await evidence(app)).filter(({ action }) => action === 'plugin.upload')
    expect(made.map(({ targetId }) => targetId).sort()).toEqual(rows.map(({ id }) => id).sort())
  })

  it('are unchanged when they are loaded again', async () => {
    const before = [await stored(), (await evidence(app)).length]
    expect(await loadSystemPlugins(app.runtime)).toEqual([])
    expect([await stored(), (await evidence(app)).length]).toEqual(before)
  })

  it('stay as somebody left them, and one that is missing comes', async () => {
    const [changed, deleted, purged] = [await named(first), await named(second), await named(third)]
    await store.system.write(async (tx) => {
      await savePlugin(tx, { ...changed, description: 'ours now', isActive: false })
      await savePlugin(tx, { ...deleted, deletedAtMs: 1, deletedBy: 'somebody', isDefault: false })
      await purgePlugins(tx, SYSTEM_ORG_ID, [purged.id])
    })
    expect(await loadSystemPlugins(app.runtime)).toEqual([third])
    expect(await named(first)).toMatchObject({ id: changed.id, description: 'ours now', isActive: false })
    expect((await stored()).filter(({ name }) => name === second)).toMatchObject([{ id: deleted.id, deletedAtMs: 1 }])
    expect((await named(third)).id).not.toBe(purged.id)
    expect(await loadSystemPlugins(app.runtime)).toEqual([])
  })
})
