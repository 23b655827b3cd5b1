/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { buildOperations } from './build/operations.js'
import { bulkDeletePlugins, deletePlugin } from './record/delete.js'
import { findPlugin, getPlugin, lookupPlugin, pluginUsage } from './record/get.js'
import { listDeletedPlugins, listPlugins } from './record/list.js'
import { purgePlugin, restorePlugin } from './record/restore.js'
import { bulkUpdatePlugins, updatePluginOperation } from './record/update.js'
import { uploadPlugin } from './record/upload.js'

export const pluginOperations: readonly Operation[] = [
  listPlugins,
  findPlugin,
  lookupPlugin,
  pluginUsage,
  listDeletedPlugins,
  uploadPlugin,
  getPlugin,
  updatePluginOperation,
  bulkUpdatePlugins,
  deletePlugin,
  bulkDeletePlugins,
  restorePlugin,
  purgePlugin,
  ...buildOperations,
]
