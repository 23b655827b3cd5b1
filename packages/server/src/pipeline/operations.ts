/** The operations of the pipeline domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { bulkCreatePipelines } from './pipeline/bulk-create.js'
import { bulkDeletePipelines } from './pipeline/bulk-delete.js'
import { bulkUpdatePipelines } from './pipeline/bulk-update.js'
import { createPipeline } from './pipeline/create.js'
import { deletePipeline } from './pipeline/delete.js'
import { findPipeline } from './pipeline/find.js'
import { getPipeline } from './pipeline/get.js'
import { listPipelines } from './pipeline/list.js'
import { listDeletedPipelines } from './pipeline/list-deleted.js'
import { purgePipeline } from './pipeline/purge.js'
import { restorePipeline } from './pipeline/restore.js'
import { updatePipeline } from './pipeline/update.js'
import { validatePipeline } from './pipeline/validate.js'
import { deregisterPipeline } from './registry/deregister.js'
import { listRegistry } from './registry/list.js'
import { registerPipeline } from './registry/register.js'
import { diffRevisions } from './revision/diff.js'
import { getRevision } from './revision/get.js'
import { listRevisions } from './revision/list.js'
import { createTemplate } from './template/create.js'
import { deleteTemplate } from './template/delete.js'
import { getTemplate } from './template/get.js'
import { instantiateTemplate } from './template/instantiate.js'
import { listTemplates } from './template/list.js'
import { listDeletedTemplates } from './template/list-deleted.js'
import { purgeTemplate } from './template/purge.js'
import { restoreTemplate } from './template/restore.js'
import { updateTemplate } from './template/update.js'

export const PIPELINE_OPERATIONS: readonly Operation[] = [
  listPipelines,
  findPipeline,
  listDeletedPipelines,
  validatePipeline,
  bulkCreatePipelines,
  bulkUpdatePipelines,
  bulkDeletePipelines,
  listRegistry,
  registerPipeline,
  deregisterPipeline,
  getPipeline,
  createPipeline,
  updatePipeline,
  deletePipeline,
  restorePipeline,
  purgePipeline,
  listRevisions,
  getRevision,
  diffRevisions,
  listTemplates,
  listDeletedTemplates,
  getTemplate,
  createTemplate,
  updateTemplate,
  deleteTemplate,
  restoreTemplate,
  purgeTemplate,
  instantiateTemplate,
]
