/** `POST /pipelines/generate/from-url/stream`: reads a repository and drafts its pipeline. Source: spec platform 16. */
import { permission, withFeature } from '../../runtime/operation/access.js'
import { fromHeader, stream } from '../../runtime/operation/operation.js'
import { ACROSS, GENERATE_ERRORS, streamed } from '../generation/begin.js'
import { ANALYSIS_EVENTS, eventsOf } from '../generation/events.js'
import { FromUrlAsk, planFromUrl } from './plan-from-url.js'

export const generatePipelineFromUrl = stream({
  name: 'ai.pipeline.generate-from-url',
  summary: 'Draft a pipeline from a repository, as a stream',
  description:
    'The server reads file names and known manifests through the API of the forge, then drafts as `POST /pipelines/generate/stream` does. Server-sent events: `start`, `analyzing`, `analyzed`, then those of that stream. A malformed address is refused with 400 before any event; for a repository that is missing, private, empty, moved or too large the stream sends the event `error`. Text of the repository is treated as data: `suspicious` lists what you should check.',
  http: { method: 'post', path: '/pipelines/generate/from-url/stream' },
  access: withFeature('ai_generation', permission('pipelines:write')),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  rateLimit: 'ai',
  audit: ['ai.generate'],
  lastData: '[DONE]',
  input: { body: FromUrlAsk },
  output: eventsOf('As `POST /pipelines/generate` answers', ANALYSIS_EVENTS),
  errors: [...GENERATE_ERRORS, 'NOT_FOUND'],
  open: async (context, { body }) => streamed(context, await planFromUrl(context, body)),
})
