/** `POST /pipelines/generate`: one answer, once it passed the checks. Source: spec platform 16. */
import { permission, withFeature } from '../../runtime/operation/access.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { ACROSS, answered, begun, GENERATE_ERRORS, SILENT } from '../generation/begin.js'
import { PipelineResult } from '../generation/events.js'
import { PipelineAsk, planPipeline } from './plan.js'

export const generatePipeline = command({
  name: 'ai.pipeline.generate',
  summary: 'Draft a pipeline from a prompt',
  description:
    'The draft passed the checks of a create, and its verdict is that of `/pipelines/validate`: `body` is what `POST /pipelines` takes. Nothing is stored.',
  http: { method: 'post', path: '/pipelines/generate' },
  access: withFeature('ai_generation', permission('pipelines:write')),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  rateLimit: 'ai',
  audit: ['ai.generate'],
  silentWhen: SILENT,
  input: { body: PipelineAsk },
  output: PipelineResult,
  errors: GENERATE_ERRORS,
  prepare: (context, { body }) => planPipeline(context, body),
  run: (context, _, planned) => begun(context, planned),
  settle: (context, _, planned) => answered(context, planned),
})
