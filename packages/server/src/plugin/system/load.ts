/**
 * Loads the plugins that ship with the server into the system organization. Plugins that an operator changed or deleted
 * there are left as they are.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertPlugin, isHighestRelease } from '../plugin/save.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { versionKey } from '../version.js'
import { SYSTEM_PLUGIN_VERSION, SYSTEM_PLUGINS, type SystemPlugin } from './plugins.js'

/** @returns the names of the plugins that were added. Safe for concurrent calls from several processes. */
export function loadSystemPlugins(runtime: Runtime): Promise<string[]> {
  return runtime.store.system.write(async (tx) => {
    await lockRow(tx, 'organizations', SYSTEM_ORG_ID)
    const { plugins } = pluginTables(tx)
    const there = await tx
      .select({ name: plugins.name })
      .from(plugins)
      .where(
        and(
          eq(plugins.orgId, SYSTEM_ORG_ID),
          eq(plugins.version, SYSTEM_PLUGIN_VERSION),
          inArray(
            plugins.name,
            SYSTEM_PLUGINS.map(({ name }) => name),
          ),
        ),
      )
    const names = new Set(there.map(({ name }) => name))
    const missing = SYSTEM_PLUGINS.filter(({ name }) => !names.has(name))
    for (const plugin of missing) {
      const row = rowOf(runtime, plugin)
      await insertPlugin(tx, { ...row, isDefault: await isHighestRelease(tx, row) })
      await writeEvidence(tx, outsideRequest(runtime), 'plugin.upload', {
        orgId: SYSTEM_ORG_ID,
        targetType: 'plugin',
        targetId: row.id,
        details: { id: row.id, name: row.name, reason: 'ships with the server' },
      })
    }
    if (missing.length > 0) tx.afterCommit(() => runtime.onEvidence?.())
    return missing.map(({ name }) => name)
  }, 'plugin.load-system')
}

function rowOf({ ids, clock }: Runtime, plugin: SystemPlugin): PluginRow {
  const nowMs = clock.now()
  return {
    id: ids.next(),
    orgId: SYSTEM_ORG_ID,
    version: SYSTEM_PLUGIN_VERSION,
    versionKey: versionKey(SYSTEM_PLUGIN_VERSION),
    metadata: {},
    pluginType: 'CodeBuildStep',
    computeType: 'SMALL',
    timeout: null,
    failureBehavior: 'fail',
    secrets: [],
    primaryOutputDirectory: null,
    env: {},
    installCommands: [],
    ...plugin,
    buildArgs: {},
    dockerfile: null,
    baseImage: null,
    usesRootUser: false,
    buildType: 'metadata_only',
    contract: { requiredMetadata: [], requiredVars: [], metadataTypes: {}, varsTypes: {} },
    smokeTest: null,
    imageRef: null,
    imageDigest: null,
    imageSizeBytes: null,
    builtImage: null,
    attestations: null,
    buildStatus: 'none',
    accessModifier: 'public',
    isDefault: false,
    isLatest: false,
    isActive: true,
    wantsDefault: false,
    ownerId: null,
    ownerType: null,
    lifecycle: 'production',
    criticality: null,
    labels: {},
    links: [],
    archiveKey: null,
    archiveBytes: 0,
    archiveSha256: null,
    revision: 1,
    createdAtMs: nowMs,
    createdBy: 'system',
    updatedAtMs: nowMs,
    updatedBy: 'system',
    ...NOT_DELETED,
  }
}
