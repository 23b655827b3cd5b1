/** `POST /plugins/generate`: one answer, once it passed the checks. Source: spec platform 16. */
import { permission, withFeature } from '../../runtime/operation/access.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { ACROSS, answered, begun, GENERATE_ERRORS, SILENT } from '../generation/begin.js'
import { PluginResult } from '../generation/events.js'
import { PluginAsk, planPlugin } from './plan.js'

export const generatePlugin = command({
  name: 'ai.plugin.generate',
  summary: 'Draft a plugin from a prompt',
  description:
    'The draft passed the checks of an upload: `body` is what `POST /plugins/deploy-generated` takes. Nothing is stored, and nothing is built.',
  http: { method: 'post', path: '/plugins/generate' },
  access: withFeature('ai_generation', permission('plugins:write')),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  rateLimit: 'ai',
  audit: ['ai.generate'],
  silentWhen: SILENT,
  input: { body: PluginAsk },
  output: PluginResult,
  errors: GENERATE_ERRORS,
  prepare: (context, { body }) => planPlugin(context, body),
  run: (context, _, planned) => begun(context, planned),
  settle: (context, _, planned) => answered(context, planned),
})
