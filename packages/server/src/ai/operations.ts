/** Every operation of generation. */
import type { Operation } from '../runtime/operation/operation.js'
import { getConfig } from './config/get.js'
import { updateConfig } from './config/update.js'
import { getGeneration } from './generation/get.js'
import { listGenerations } from './generation/list.js'
import { generatePipeline } from './pipeline/generate.js'
import { generatePipelineFromUrl } from './pipeline/generate-from-url.js'
import { generatePipelineStream } from './pipeline/generate-stream.js'
import { listPipelineProviders } from './pipeline/list-providers.js'
import { generatePlugin } from './plugin/generate.js'
import { generatePluginStream } from './plugin/generate-stream.js'
import { listPluginProviders } from './plugin/list-providers.js'

export const AI_OPERATIONS: readonly Operation[] = [
  listPipelineProviders,
  listPluginProviders,
  generatePipeline,
  generatePipelineStream,
  generatePipelineFromUrl,
  generatePlugin,
  generatePluginStream,
  listGenerations,
  getGeneration,
  getConfig,
  updateConfig,
]
