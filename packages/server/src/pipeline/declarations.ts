/** What this domain declares about pipelines and their templates: permissions, settings, rate limits. */
import { adminsAndMembers, adminsOnly, declare } from '../runtime/declare.js'
import { given } from '../runtime/setting/setting.js'
import { flag } from '../runtime/setting/types.js'

export const pipelineDeclarations = declare({
  name: 'pipeline',
  sections: { pipeline: 'Pipelines' },
  permissions: {
    'pipelines:read': adminsAndMembers('list, find and read pipelines, scorecards, the registry and templates'),
    'pipelines:write': adminsAndMembers('create, update and delete pipelines, author templates, generate'),
    'pipelines:publish': adminsOnly('make a pipeline or template public, change a public one'),
  },
  settings: {
    STRICT_PLUGIN_REFS: given(
      'pipeline',
      flag,
      false,
      'Whether a pipeline that names an invisible plugin is refused; otherwise the answer has a warning',
    ),
  },
  buckets: {},
})
