/** Plugins with their index tables, and the jobs that build their images. */
import { sql } from 'drizzle-orm'
import { catalogColumns } from '../runtime/records/catalog.js'
import type { ComplianceViolation } from '../runtime/records/compliance.js'
import { besideColumns, inListOrder } from '../runtime/records/index-tables.js'
import { labelTable } from '../runtime/records/labels.js'
import { softDeleteColumns } from '../runtime/records/soft-delete.js'
import { searchGuards, searchTable } from '../runtime/store/search.js'
import { global, tableSet, tenant } from '../runtime/store/table-set.js'
import type { Attestations } from './image/attestations.js'
import type { BuiltImageFacts } from './image/built-image.js'
import type { Contract, SecretDeclaration } from './manifest/schema.js'

const search = searchGuards('plugin_search')

export const pluginTables = tableSet(
  'plugin',
  (k) => {
    const live = sql`deleted_at_ms IS NULL`
    const plugins = k.table(
      'plugins',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        version: k.text('version').notNull(),
        /** Sort key in version order (`version.ts`). */
        versionKey: k.text('version_key').notNull(),
        description: k.text('description'),
        keywords: k.json<readonly string[]>('keywords').notNull(),
        category: k.text('category').notNull(),
        metadata: k.json<Readonly<Record<string, unknown>>>('metadata').notNull(),
        pluginType: k.text('plugin_type').notNull(),
        computeType: k.text('compute_type').notNull(),
        /** Minutes. */
        timeout: k.count('timeout'),
        failureBehavior: k.text('failure_behavior').notNull(),
        secrets: k.json<readonly SecretDeclaration[]>('secrets').notNull(),
        primaryOutputDirectory: k.text('primary_output_directory'),
        env: k.json<Readonly<Record<string, string>>>('env').notNull(),
        buildArgs: k.json<Readonly<Record<string, string>>>('build_args').notNull(),
        installCommands: k.json<readonly string[]>('install_commands').notNull(),
        commands: k.json<readonly string[]>('commands').notNull(),
        dockerfile: k.text('dockerfile'),
        baseImage: k.text('base_image'),
        /** Null when it is not known how the image was made. */
        usesRootUser: k.bool('uses_root_user'),
        buildType: k.text('build_type').notNull(),
        contract: k.json<Contract>('contract').notNull(),
        smokeTest: k.text('smoke_test'),
        imageRef: k.text('image_ref'),
        imageDigest: k.text('image_digest'),
        imageSizeBytes: k.large('image_size_bytes'),
        /** The facts of the image in the registry; null while there is no image. */
        builtImage: k.json<BuiltImageFacts>('built_image'),
        /** The attestations of the image; null while there is no image. */
        attestations: k.json<Attestations>('attestations'),
        /** none, queued, building, ready, failed */
        buildStatus: k.text('build_status').notNull(),
        accessModifier: k.text('access_modifier').notNull(),
        isDefault: k.bool('is_default').notNull(),
        /**
         * True when no live, active version of its name is higher. `save.ts` maintains it, so that a list of the latest
         * versions is read along an index.
         */
        isLatest: k.bool('is_latest').notNull(),
        isActive: k.bool('is_active').notNull(),
        /** Becomes the default once its build is ready, whatever its version. */
        wantsDefault: k.bool('wants_default').notNull(),
        ...catalogColumns(k),
        /** The uploaded archive in the blob store; null for plugins that ship with the server. */
        archiveKey: k.text('archive_key'),
        archiveBytes: k.large('archive_bytes').notNull(),
        archiveSha256: k.text('archive_sha256'),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        createdBy: k.text('created_by').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        updatedBy: k.text('updated_by').notNull(),
        ...softDeleteColumns(k),
      },
      (t) => [
        k.uniqueIndex('plugins_live_version').on(t.orgId, t.name, t.version).where(live),
        k.uniqueIndex('plugins_default').on(t.orgId, t.name).where(sql`is_default AND deleted_at_ms IS NULL`),
        // For reads of all plugins of an organization, page by page: scans, previews of rules, exports.
        k.index('plugins_all').on(t.orgId, t.id),
        // The columns that are compared with each row are in the index too, so that a row is read only when it is
        // shown.
        k.index('plugins_newest').on(t.orgId, t.createdAtMs, t.id, t.isActive, t.versionKey).where(live),
        k.index('plugins_changed').on(t.orgId, t.updatedAtMs, t.id).where(live),
        k.index('plugins_name').on(t.orgId, t.name, t.versionKey, t.isActive, t.deletedAtMs),
        k.index('plugins_by_category').on(t.orgId, t.category, t.id).where(live),
        k.index('plugins_version').on(t.orgId, t.versionKey, t.id).where(live),
        // Each filter is followed by the order of the default list, so that a page is read without sorting, and by what
        // marks a row as live, so that SQLite counts without reading rows.
        ...(
          [
            ['owner', t.ownerId],
            ['exact_version', t.version],
            ['type', t.pluginType],
            ['compute', t.computeType],
            ['category', t.category],
            ['build_type', t.buildType],
            ['build_status', t.buildStatus],
            ['access', t.accessModifier],
            ['lifecycle', t.lifecycle],
            ['criticality', t.criticality],
          ] as const
        ).map(([name, column]) =>
          k.index(`plugins_${name}`).on(t.orgId, column, t.createdAtMs, t.id, t.isActive, t.deletedAtMs).where(live),
        ),
        k
          .index('plugins_is_default')
          .on(t.orgId, t.isDefault, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k
          .index('plugins_is_latest')
          .on(t.orgId, t.isLatest, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k.index('plugins_active').on(t.orgId, t.isActive, t.createdAtMs, t.id, t.deletedAtMs).where(live),
        k.index('plugins_purge').on(t.purgeAfterMs),
        k.index('plugins_image').on(t.imageDigest),
      ],
    )
    const pluginKeywords = k.table(
      'plugin_keywords',
      {
        entityId: k.text('entity_id').notNull(),
        ...besideColumns(k),
        /** In lower case. */
        keyword: k.text('keyword').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.entityId, t.keyword] }),
        k.index('plugin_keywords_value').on(t.orgId, t.keyword, ...inListOrder(t, t.entityId)),
      ],
    )
    const pluginLabels = labelTable(k, 'plugin_labels')
    const pluginSearch = searchTable(k, 'plugin_search')
    const buildJobs = k.table(
      'build_jobs',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        pluginId: k.text('plugin_id').notNull(),
        pluginName: k.text('plugin_name').notNull(),
        version: k.text('version').notNull(),
        buildType: k.text('build_type').notNull(),
        archiveKey: k.text('archive_key').notNull(),
        /** The tier of the organization when the build was queued; it determines the share of the builders. */
        tier: k.text('tier').notNull(),
        /** waiting, delayed, active, completed, dead, cancelled */
        state: k.text('state').notNull(),
        /** 0 for the first attempts; each automatic round of dead letters adds 1. */
        round: k.count('round').notNull(),
        /** Attempts of this round. */
        attempts: k.count('attempts').notNull(),
        totalAttempts: k.count('total_attempts').notNull(),
        /** For a dead letter: no further round starts by itself. */
        isExhausted: k.bool('is_exhausted').notNull(),
        isPermanent: k.bool('is_permanent').notNull(),
        runAtMs: k.epochMs('run_at_ms').notNull(),
        startedAtMs: k.epochMs('started_at_ms'),
        leaseUntilMs: k.epochMs('lease_until_ms'),
        /** The fence of the attempt that received the secrets: each attempt receives them once. */
        secretsFence: k.count('secrets_fence').notNull(),
        /** What it received, sealed, so that its image is searched for these values; null once the attempt is over. */
        secretsGiven: k.text('secrets_given'),
        /** Grows with each claim; every statement of the builder compares it. */
        fence: k.count('fence').notNull(),
        worker: k.text('worker'),
        /** The service principal that claimed it; null while the server works on the build, or none does. */
        holder: k.text('holder'),
        category: k.text('category'),
        lastError: k.text('last_error'),
        /** Violations of the built image; null unless they blocked it. */
        violations: k.json<readonly ComplianceViolation[]>('violations'),
        /** The base images of the first attempt that fetched them; later attempts use the same. */
        bases: k.json<readonly ResolvedBase[]>('bases'),
        /** The current phase; null while no builder or server works on the build. */
        phase: k.text('phase'),
        /** Offset after the last character of the log, counted over all attempts. */
        logEnd: k.large('log_end').notNull(),
        /** Offset where the log of the running attempt begins. */
        logStart: k.large('log_start').notNull(),
        /** Bytes received of the running attempt's log: the offset of the next piece. */
        logBytes: k.large('log_bytes').notNull(),
        /** The unfinished line, encrypted: it may contain half a secret, which cannot be recognised yet. */
        logTail: k.text('log_tail'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        createdBy: k.text('created_by').notNull(),
        failedAtMs: k.epochMs('failed_at_ms'),
        finishedAtMs: k.epochMs('finished_at_ms'),
      },
      (t) => [
        k.index('build_jobs_due').on(t.state, t.runAtMs),
        k.index('build_jobs_org').on(t.orgId, t.state, t.runAtMs, t.id),
        k.index('build_jobs_failed').on(t.orgId, t.failedAtMs, t.id),
        k.index('build_jobs_newest').on(t.orgId, t.createdAtMs, t.id),
        k.index('build_jobs_plugin').on(t.orgId, t.pluginId),
        k.index('build_jobs_finished').on(t.finishedAtMs),
      ],
    )
    /** The logs of builds, in pieces, so that a further line does not rewrite the whole log. */
    const buildLogs = k.table(
      'build_logs',
      {
        jobId: k.text('job_id').notNull(),
        orgId: k.text('org_id').notNull(),
        /** Counted from the first character that the job ever wrote, in UTF-16 units. */
        place: k.large('place').notNull(),
        chars: k.count('chars').notNull(),
        attempt: k.count('attempt').notNull(),
        text: k.text('text').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.jobId, t.place] }), k.index('build_logs_org').on(t.orgId, t.jobId)],
    )
    /** The share of builder time that each organization has used: the organization with the lowest value is next. */
    const buildTurns = k.table('build_turns', {
      orgId: k.text('org_id').primaryKey(),
      /** Start of the next turn. A build advances it by a smaller step when the tier has a larger share. */
      pass: k.large('pass').notNull(),
      /** Start of the last turn. */
      lastStart: k.large('last_start').notNull(),
    })
    /** Builders: when each was last seen, what it says of itself, and what is wrong with it. */
    const builders = k.table('builders', {
      name: k.text('name').primaryKey(),
      seenAtMs: k.epochMs('seen_at_ms').notNull(),
      version: k.text('version'),
      capabilities: k.json<readonly string[]>('capabilities'),
      /** The reason of its last fault; null once it has ended a build after it. */
      fault: k.text('fault'),
      faultMessage: k.text('fault_message'),
      faultAtMs: k.epochMs('fault_at_ms'),
    })
    return { plugins, pluginKeywords, pluginLabels, pluginSearch, buildJobs, buildLogs, buildTurns, builders }
  },
  {
    plugins: tenant('org_id', { sharedWhen: "access_modifier = 'public' AND deleted_at_ms IS NULL" }),
    pluginKeywords: tenant('org_id', { sharedWhen: 'is_shared' }),
    pluginLabels: tenant('org_id', { sharedWhen: 'is_shared' }),
    pluginSearch: tenant('org_id', { sharedWhen: 'is_shared' }),
    buildJobs: tenant(),
    buildLogs: tenant(),
    buildTurns: tenant(),
    builders: global('a builder serves every organization', 'SELECT (seen_at_ms, fault, fault_at_ms)'),
  },
  search,
)

/** The digest that the name of a base image had when the builder fetched it. */
export interface ResolvedBase {
  readonly name: string
  readonly digest: string
}

export type PluginRow = ReturnType<typeof pluginTables>['plugins']['$inferSelect']

export type BuildJobRow = ReturnType<typeof pluginTables>['buildJobs']['$inferSelect']
