/**
 * Goal: the shipped templates exist after the first load, loading them again changes nothing, a newer build updates
 * them, and those that an operator changed or deleted are left as they are.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { pipelineApp } from '../../../test/support/pipelines.js'
import { evidence, type IdentityApp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Store } from '../../runtime/store/db.js'
import { findText } from '../../runtime/store/search.js'
import { pipelineTables, type TemplateRow } from '../tables.js'
import { findTemplate, saveTemplate } from '../template/rows.js'
import { loadStarters } from './load.js'
import { STARTERS } from './starters.js'

await describeStores('the shipped templates', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    ;({ app } = await pipelineApp(store))
  })
  afterAll(() => store.close())

  const stored = (): Promise<TemplateRow[]> =>
    store.system.read(async (db) => db.select().from(pipelineTables(db).pipelineTemplates))
  const named = async (name: string) => (await stored()).find((row) => row.name === name) as TemplateRow
  const [first, second, third] = STARTERS as [(typeof STARTERS)[0], (typeof STARTERS)[0], (typeof STARTERS)[0]]
  /** Stores a row as an operator of the system organization would have left it. */
  const leave = (row: TemplateRow, more: Partial<TemplateRow>) =>
    store.system.write((tx) => saveTemplate(tx, { ...row, revision: row.revision + 1, updatedBy: 'somebody', ...more }))

  it('are published whole, once, also when replicas load them together', async () => {
    const loads = await Promise.all([loadStarters(app.runtime), loadStarters(app.runtime)])
    expect(loads.reduce((sum, { created }) => sum + created, 0)).toBe(STARTERS.length)
    const rows = await stored()
    expect(rows.map(({ name }) => name).sort()).toEqual(STARTERS.map(({ name }) => name).sort())
    expect(rows.every((row) => row.orgId === SYSTEM_ORG_ID && row.accessModifier === 'public')).toBe(true)
    const made = (await evidence(app)).filter(({ action }) => action === 'pipeline_template.create')
    expect(made.map(({ targetId }) => targetId).sort()).toEqual(rows.map(({ id }) => id).sort())
  })

  it('are unchanged when they are loaded again', async () => {
    const before = [await stored(), (await evidence(app)).length]
    expect(await loadStarters(app.runtime)).toEqual({ created: 0, updated: 0 })
    expect([await stored(), (await evidence(app)).length]).toEqual(before)
  })

  it('are renewed by a newer build, in place, and found by their new text', async () => {
    const before = await named(first.name)
    const newer = [{ ...first, description: 'quite another description' }, ...STARTERS.slice(1)]
    expect(await loadStarters(app.runtime, newer)).toEqual({ created: 0, updated: 1 })
    const after = await named(first.name)
    expect([after.id, after.revision, after.description]).toEqual([
      before.id,
      before.revision + 1,
      'quite another description',
    ])
    const wanted = { orgId: SYSTEM_ORG_ID, text: 'quite another', in: 'all' as const }
    const found = await store.system.read((db) => findText(db, pipelineTables(db).templateSearch, wanted, 10))
    expect(found).toEqual([before.id])
  })

  it('stay as somebody left them, changed or deleted', async () => {
    await leave(await named(second.name), { description: 'ours now' })
    await leave(await named(third.name), { deletedAtMs: 1, deletedBy: 'somebody', liveKey: null })
    const newer = STARTERS.map((starter) => ({ ...starter, description: 'the newest' }))
    expect(await loadStarters(app.runtime, newer)).toEqual({ created: 0, updated: STARTERS.length - 2 })
    expect((await named(second.name)).description).toBe('ours now')
    const gone = await named(third.name)
    expect([gone.deletedAtMs, (await stored()).length]).toEqual([1, STARTERS.length])
    expect(await store.system.read((db) => findTemplate(db, SYSTEM_ORG_ID, gone.id))).toMatchObject({
      deletedBy: 'somebody',
    })
  })
})
