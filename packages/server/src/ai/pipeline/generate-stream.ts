/** `POST /pipelines/generate/stream`: the same as events, with a preview while the model answers. */
import { permission, withFeature } from '../../runtime/operation/access.js'
import { fromHeader, stream } from '../../runtime/operation/operation.js'
import { ACROSS, GENERATE_ERRORS, streamed } from '../generation/begin.js'
import { eventsOf } from '../generation/events.js'
import { PipelineAsk, planPipeline } from './plan.js'

export const generatePipelineStream = stream({
  name: 'ai.pipeline.generate-stream',
  summary: 'Draft a pipeline from a prompt, as a stream',
  description:
    'Server-sent events: `start`, then `partial` (not checked), `progress`, `fallback` and `repair`, then `plugins` where some are missing, then one of `done` and `error`, then `data: [DONE]`. Closing the stream cancels the generation; a finished one is at `GET /ai/generations/:id`.',
  http: { method: 'post', path: '/pipelines/generate/stream' },
  access: withFeature('ai_generation', permission('pipelines:write')),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  rateLimit: 'ai',
  audit: ['ai.generate'],
  lastData: '[DONE]',
  input: { body: PipelineAsk },
  output: eventsOf('As `POST /pipelines/generate` answers'),
  errors: GENERATE_ERRORS,
  open: async (context, { body }) => streamed(context, await planPipeline(context, body)),
})
