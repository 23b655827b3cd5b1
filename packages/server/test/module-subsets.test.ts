/**
 * A process that mounts some of the modules has their operations and no others; one that would change what rules guard, and
 * has no way to a verdict, does not start.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../src/app.js'
import { MODULES } from '../src/runtime/declared.js'
import { silentLog } from '../src/runtime/log/log.js'
import type { SqliteStore } from '../src/runtime/store/sqlite.js'
import { testSettings } from './support/settings.js'
import { sqliteStore } from './support/stores.js'

let store: SqliteStore
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

/** @returns the names of the operations. */
async function mounted(modules: readonly string[]): Promise<string[]> {
  const app = createApp({ store, settings: testSettings({ PLUMBLINE_MODULES: modules.join(',') }), log: silentLog })
  await app.close()
  return app.operations.map(({ name }) => name).sort()
}

const GUARDED = ['plugin', 'pipeline', 'ai']
const subsets = MODULES.flatMap((first, at) => MODULES.slice(at).map((second) => [...new Set([first, second])]))

it('each module alone and each pair has its own operations, or says what it needs', async () => {
  const all = await mounted(MODULES)
  const compliance = await mounted(['compliance'])
  const alone = new Map<string, string[]>()
  for (const name of MODULES) {
    const own = GUARDED.includes(name)
      ? (await mounted([name, 'compliance'])).filter((operation) => !compliance.includes(operation))
      : await mounted([name])
    // The console is files.
    expect(own.length === 0, name).toBe(name === 'console')
    alone.set(name, own)
  }
  // Every operation is of one module.
  expect([...alone.values()].flat().sort()).toEqual(all)
  for (const modules of subsets) {
    if (modules.some((name) => GUARDED.includes(name)) && !modules.includes('compliance')) {
      await expect(mounted(modules), modules.join()).rejects.toThrow(/without compliance: mount compliance too, or set/)
    } else {
      expect(await mounted(modules), modules.join()).toEqual(modules.flatMap((name) => alone.get(name) ?? []).sort())
    }
  }
})
