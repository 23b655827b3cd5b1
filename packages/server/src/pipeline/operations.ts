/** The operations of the pipeline domain. Literal paths stand before `/:id`. */
import type { Operation } from '../runtime/operation/operation.js'
import { bulkCreatePipelines, bulkDeletePipelines, bulkUpdatePipelines } from './pipeline/bulk.js'
import { createPipeline } from './pipeline/create.js'
import { deletePipeline, purgePipeline, restorePipeline } from './pipeline/delete.js'
import { findOnePipeline, getPipeline } from './pipeline/get.js'
import { listDeletedPipelines, listPipelines } from './pipeline/list.js'
import { updatePipeline } from './pipeline/update.js'
import { validatePipeline } from './pipeline/validate.js'
import { deregisterPipeline, listRegistry, registerPipeline } from './registry/operations.js'
import { diffRevisions, getRevision, listRevisions } from './revision/history.js'
import { createTemplate, deleteTemplate, purgeTemplate, restoreTemplate, updateTemplate } from './template/change.js'
import { getTemplate, instantiateTemplate, listDeletedTemplates, listTemplates } from './template/read.js'

export const PIPELINE_OPERATIONS: readonly Operation[] = [
  listPipelines,
  findOnePipeline,
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
