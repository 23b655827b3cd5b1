/** Puts plugins and their builds into the queue without an upload. */
import { insertOrganization } from '../../src/identity/organization/insert.js'
import { insertPlugin } from '../../src/plugin/plugin/save.js'
import { loadSystemPlugins } from '../../src/plugin/system/load.js'
import { type PluginRow, pluginTables } from '../../src/plugin/tables.js'
import type { Runtime } from '../../src/runtime/operation/context.js'

export interface Waiting {
  readonly name: string
  readonly tier: 'developer' | 'pro' | 'team' | 'enterprise'
  readonly builds: number
}

/** Queues builds of new organizations, taking one of each in turn. @returns the ids of the organizations. */
export async function queueBuilds(runtime: Runtime, waiting: readonly Waiting[]): Promise<string[]> {
  await loadSystemPlugins(runtime)
  return runtime.store.system.write(async (tx) => {
    const { plugins, buildJobs } = pluginTables(tx)
    const [like] = await tx.select().from(plugins).limit(1)
    if (like === undefined) throw new Error('no plugin ships')
    const orgIds: string[] = []
    for (const { name, tier } of waiting) {
      orgIds.push((await insertOrganization(tx, runtime, { name, tier, ownerId: null })).id)
    }
    const most = Math.max(...waiting.map(({ builds }) => builds))
    for (let n = 0; n < most; n++) {
      for (const [at, { tier, builds }] of waiting.entries()) {
        const orgId = orgIds[at] ?? ''
        if (n >= builds) continue
        const built = { orgId, name: `p${n}`, buildType: 'build_image', archiveKey: `${orgId}/plugins/${n}` } as const
        const status = { buildStatus: 'queued', isActive: false, isDefault: false } as const
        const row: PluginRow = { ...like, ...built, ...status, id: runtime.ids.next() }
        await insertPlugin(tx, row)
        const none = { startedAtMs: null, leaseUntilMs: null, worker: null, category: null, lastError: null }
        await tx.insert(buildJobs).values({
          ...{ id: runtime.ids.next(), orgId, pluginId: row.id, pluginName: row.name, version: row.version },
          ...{ buildType: built.buildType, archiveKey: built.archiveKey, tier, state: 'waiting' },
          ...{ round: 0, attempts: 0, totalAttempts: 0, isExhausted: false, isPermanent: false, runAtMs: 0 },
          ...{
            secretsFence: 0,
            secretsGiven: null,
            fence: 0,
            phase: null,
            logEnd: 0,
            logStart: 0,
            logBytes: 0,
            logTail: null,
          },
          ...{ createdAtMs: 0, createdBy: 'somebody', failedAtMs: null, finishedAtMs: null, ...none },
        })
      }
    }
    return orgIds
  })
}
