/**
 * Pipelines with their index tables, their revisions, where they are deployed, and the templates that they come from.
 */

import { catalogColumns } from '../runtime/records/catalog.js'
import { besideColumns, inListOrder } from '../runtime/records/index-tables.js'
import { labelTable } from '../runtime/records/labels.js'
import { softDeleteColumns } from '../runtime/records/soft-delete.js'
import type { Kit } from '../runtime/store/kit.js'
import { searchGuards, searchTable } from '../runtime/store/search.js'
import { tableSet, tenant } from '../runtime/store/table-set.js'
import type { Props } from './props/schema.js'
import type { TemplateInput } from './template-input.js'

const SEARCH = 'pipeline_search'
const TEMPLATE_SEARCH = 'pipeline_template_search'

const authorColumns = (k: Kit) => ({
  revision: k.count('revision').notNull(),
  createdAtMs: k.epochMs('created_at_ms').notNull(),
  createdBy: k.text('created_by').notNull(),
  updatedAtMs: k.epochMs('updated_at_ms').notNull(),
  updatedBy: k.text('updated_by').notNull(),
  ...softDeleteColumns(k),
})

export const pipelineTables = tableSet(
  'pipeline',
  (k) => {
    const live = k.sql`deleted_at_ms IS NULL`
    const pipelines = k.table(
      'pipelines',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        project: k.text('project').notNull(),
        organization: k.text('organization').notNull(),
        /**
         * The key for comparing projects: lower case, with other characters than letters and digits replaced by `_`.
         */
        projectKey: k.text('project_key').notNull(),
        organizationKey: k.text('organization_key').notNull(),
        pipelineName: k.text('pipeline_name').notNull(),
        nameKey: k.text('name_key').notNull(),
        description: k.text('description').notNull(),
        keywords: k.json<readonly string[]>('keywords').notNull(),
        accessModifier: k.text('access_modifier').notNull(),
        isActive: k.bool('is_active').notNull(),
        /** The project's key on its default pipeline, else null: a project has at most one default. */
        defaultKey: k.text('default_key'),
        ...catalogColumns(k),
        /** The template from which the pipeline was created. */
        templateId: k.text('template_id'),
        templateVersion: k.count('template_version'),
        /** The verdict of the last check, `passed` or `warned`; null before the first check. */
        complianceResult: k.text('compliance_result'),
        complianceCheckedAtMs: k.epochMs('compliance_checked_at_ms'),
        ...authorColumns(k),
        /** The last column, because it is long: the columns before it are read without it. */
        props: k.json<Props>('props').notNull(),
      },
      (t) => [
        k.uniqueIndex('pipelines_key').on(t.orgId, t.projectKey, t.organizationKey),
        k.uniqueIndex('pipelines_default').on(t.orgId, t.defaultKey),
        // For reads of all pipelines of an organization, page by page: scans, previews of rules, exports.
        k.index('pipelines_all').on(t.orgId, t.id),
        // Each filter is followed by the order of the default list, so that a page is read without sorting. The columns
        // that are compared with each row are in the index too, so that a row is read only when it is shown, and a
        // count reads none. `deletedAtMs` is among them because SQLite compares it even where an index contains live
        // rows only.
        k
          .index('pipelines_created')
          .on(t.orgId, t.createdAtMs, t.id, t.isActive, t.deletedAtMs, t.updatedAtMs, t.defaultKey),
        k
          .index('pipelines_defaults')
          .on(t.orgId, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(k.sql`default_key IS NOT NULL AND deleted_at_ms IS NULL`),
        k.index('pipelines_updated').on(t.orgId, t.updatedAtMs, t.id, t.isActive).where(live),
        k.index('pipelines_active').on(t.orgId, t.isActive, t.createdAtMs, t.id, t.deletedAtMs).where(live),
        k
          .index('pipelines_access')
          .on(t.orgId, t.accessModifier, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k
          .index('pipelines_project')
          .on(t.orgId, t.projectKey, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k
          .index('pipelines_organization')
          .on(t.orgId, t.organizationKey, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k.index('pipelines_name').on(t.orgId, t.nameKey, t.createdAtMs, t.id, t.isActive, t.deletedAtMs).where(live),
        k.index('pipelines_owner').on(t.orgId, t.ownerId, t.createdAtMs, t.id, t.isActive, t.deletedAtMs).where(live),
        k
          .index('pipelines_lifecycle')
          .on(t.orgId, t.lifecycle, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k
          .index('pipelines_criticality')
          .on(t.orgId, t.criticality, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k
          .index('pipelines_template')
          .on(t.orgId, t.templateId, t.createdAtMs, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k.index('pipelines_by_project').on(t.orgId, t.projectKey, t.id, t.isActive, t.deletedAtMs).where(live),
        k
          .index('pipelines_by_organization')
          .on(t.orgId, t.organizationKey, t.id, t.isActive, t.deletedAtMs)
          .where(live),
        k.index('pipelines_by_name').on(t.orgId, t.nameKey, t.id, t.isActive, t.deletedAtMs).where(live),
        k.index('pipelines_by_lifecycle').on(t.orgId, t.lifecycle, t.id, t.isActive).where(live),
        k.index('pipelines_deleted').on(t.orgId, t.updatedAtMs, t.id).where(k.sql`deleted_at_ms IS NOT NULL`),
        k.index('pipelines_purge').on(t.purgeAfterMs),
      ],
    )
    /** The plugins that live pipelines refer to. */
    const pipelinePlugins = k.table(
      'pipeline_plugins',
      {
        pipelineId: k.text('pipeline_id').notNull(),
        ...besideColumns(k),
        name: k.text('name').notNull(),
        /** Empty for the default version. */
        version: k.text('version').notNull(),
        /**
         * True for the first of the pipeline's references to this name, so that a list by name contains the pipeline
         * once.
         */
        isFirst: k.bool('is_first').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.name, t.version] }),
        k.index('pipeline_plugins_name').on(t.orgId, t.name, t.isFirst, ...inListOrder(t, t.pipelineId)),
      ],
    )
    const pipelineKeywords = k.table(
      'pipeline_keywords',
      {
        pipelineId: k.text('pipeline_id').notNull(),
        ...besideColumns(k),
        /** In lower case. */
        keyword: k.text('keyword').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.pipelineId, t.keyword] }),
        k.index('pipeline_keywords_keyword').on(t.orgId, t.keyword, ...inListOrder(t, t.pipelineId)),
      ],
    )
    const pipelineLabels = labelTable(k, 'pipeline_labels')
    const pipelineSearch = searchTable(k, SEARCH)
    /** A pipeline as it was after each change; only the newest revisions are kept. */
    const pipelineRevisions = k.table(
      'pipeline_revisions',
      {
        pipelineId: k.text('pipeline_id').notNull(),
        revision: k.count('revision').notNull(),
        orgId: k.text('org_id').notNull(),
        /** created, updated, deleted, restored */
        change: k.text('change').notNull(),
        changedAtMs: k.epochMs('changed_at_ms').notNull(),
        changedBy: k.text('changed_by').notNull(),
        record: k.json<Readonly<Record<string, unknown>>>('record').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.pipelineId, t.revision] }),
        k.index('pipeline_revisions_org').on(t.orgId, t.pipelineId, t.revision),
      ],
    )
    /** Where a pipeline is deployed. */
    const pipelineRegistry = k.table(
      'pipeline_registry',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        pipelineId: k.text('pipeline_id').notNull(),
        pipelineName: k.text('pipeline_name').notNull(),
        /** Sort key of the name. */
        nameKey: k.text('name_key').notNull(),
        /** As it was sent, with the account number masked. */
        resourceId: k.text('resource_id'),
        /** Keyed hash of the identifier as it was sent, for look-up. */
        resourceHash: k.text('resource_hash'),
        target: k.text('target').notNull(),
        region: k.text('region'),
        project: k.text('project').notNull(),
        organization: k.text('organization').notNull(),
        stackName: k.text('stack_name'),
        lastDeployedMs: k.epochMs('last_deployed_ms').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.index('pipeline_registry_all').on(t.orgId, t.id),
        k.uniqueIndex('pipeline_registry_pipeline').on(t.pipelineId),
        k.uniqueIndex('pipeline_registry_resource').on(t.orgId, t.resourceHash),
        k.index('pipeline_registry_deployed').on(t.orgId, t.lastDeployedMs, t.id),
        k.index('pipeline_registry_by_name').on(t.orgId, t.nameKey, t.id),
      ],
    )
    const pipelineTemplates = k.table(
      'pipeline_templates',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        /** Sort key of the name, case-insensitive. */
        nameKey: k.text('name_key').notNull(),
        /** The name in lower case while the template is live, else null: a name has at most one live template. */
        liveKey: k.text('live_key'),
        description: k.text('description').notNull(),
        keywords: k.json<readonly string[]>('keywords').notNull(),
        category: k.text('category').notNull(),
        inputs: k.json<readonly TemplateInput[]>('inputs').notNull(),
        accessModifier: k.text('access_modifier').notNull(),
        isActive: k.bool('is_active').notNull(),
        /** Increases with each change of props or inputs. */
        version: k.count('version').notNull(),
        ...catalogColumns(k),
        ...authorColumns(k),
        props: k.json<Props>('props').notNull(),
      },
      (t) => [
        k.uniqueIndex('pipeline_templates_name').on(t.orgId, t.liveKey),
        // As for pipelines: each filter is followed by the order of the default list.
        k.index('pipeline_templates_created').on(t.orgId, t.createdAtMs, t.id, t.isActive, t.deletedAtMs),
        k.index('pipeline_templates_updated').on(t.orgId, t.updatedAtMs, t.id, t.isActive).where(live),
        k.index('pipeline_templates_by_name').on(t.orgId, t.nameKey, t.id, t.isActive).where(live),
        ...(
          [
            ['category', t.category],
            ['access', t.accessModifier],
            ['owner', t.ownerId],
            ['lifecycle', t.lifecycle],
            ['criticality', t.criticality],
          ] as const
        ).map(([name, column]) =>
          k.index(`pipeline_templates_${name}`).on(t.orgId, column, t.createdAtMs, t.id, t.isActive).where(live),
        ),
        k.index('pipeline_templates_active').on(t.orgId, t.isActive, t.createdAtMs, t.id).where(live),
        k.index('pipeline_templates_deleted').on(t.orgId, t.updatedAtMs, t.id).where(k.sql`deleted_at_ms IS NOT NULL`),
        k.index('pipeline_templates_purge').on(t.purgeAfterMs),
      ],
    )
    const templateKeywords = k.table(
      'pipeline_template_keywords',
      {
        templateId: k.text('template_id').notNull(),
        ...besideColumns(k),
        /** In lower case. */
        keyword: k.text('keyword').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.templateId, t.keyword] }),
        k.index('pipeline_template_keywords_keyword').on(t.orgId, t.keyword, ...inListOrder(t, t.templateId)),
      ],
    )
    const templateLabels = labelTable(k, 'pipeline_template_labels')
    const templateSearch = searchTable(k, TEMPLATE_SEARCH)
    return {
      pipelines,
      pipelinePlugins,
      pipelineKeywords,
      pipelineLabels,
      pipelineSearch,
      pipelineRevisions,
      pipelineRegistry,
      pipelineTemplates,
      templateKeywords,
      templateLabels,
      templateSearch,
    }
  },
  {
    pipelines: tenant('org_id', { sharedWhen: "access_modifier = 'public' AND deleted_at_ms IS NULL" }),
    pipelinePlugins: tenant('org_id', { sharedWhen: 'is_shared' }),
    pipelineKeywords: tenant('org_id', { sharedWhen: 'is_shared' }),
    pipelineLabels: tenant('org_id', { sharedWhen: 'is_shared' }),
    pipelineSearch: tenant('org_id', { sharedWhen: 'is_shared' }),
    pipelineRevisions: tenant(),
    pipelineRegistry: tenant(),
    pipelineTemplates: tenant('org_id', { sharedWhen: "access_modifier = 'public' AND deleted_at_ms IS NULL" }),
    templateKeywords: tenant('org_id', { sharedWhen: 'is_shared' }),
    templateLabels: tenant('org_id', { sharedWhen: 'is_shared' }),
    templateSearch: tenant('org_id', { sharedWhen: 'is_shared' }),
  },
  searchGuards(SEARCH, TEMPLATE_SEARCH),
)

export type PipelineTables = ReturnType<typeof pipelineTables>
export type PipelineRow = PipelineTables['pipelines']['$inferSelect']
export type TemplateRow = PipelineTables['pipelineTemplates']['$inferSelect']
export type RegistryRow = PipelineTables['pipelineRegistry']['$inferSelect']
