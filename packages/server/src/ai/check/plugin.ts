/** Checks a plugin draft as an upload of the archive that is built from it. */
import { findCredentials } from '../../pipeline/index.js'
import { reportOnGenerated } from '../../plugin/index.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { unmasked } from '../draft/placeholders.js'
import { PluginDraft, pluginDraftIssues, toConfig } from '../draft/plugin.js'
import { INSTRUCTIONS } from '../prompt.js'
import type { Turn } from '../provider/model.js'
import { blockingOf, type Checked, faulty, type Subject } from './checked.js'
import { type Known, suspicions, textsOf } from './suspicious.js'

export interface PluginAround {
  readonly before: PluginDraft | null
  readonly hosts: ReadonlySet<string>
}

export const pluginSubject = (turns: readonly Turn[], around: PluginAround): Subject => ({
  kind: 'plugin',
  schema: PluginDraft,
  schemaName: 'plugin',
  instructions: INSTRUCTIONS.plugin,
  turns,
  check: (context, draft) => checkPlugin(context, draft as PluginDraft, around),
})

async function checkPlugin(context: PrepareContext, drafted: PluginDraft, around: PluginAround): Promise<Checked> {
  const { draft, faults: kept } = unmasked(drafted, around.before)
  const plugin = toConfig(draft)
  const first = [...kept, ...pluginDraftIssues(draft), ...findCredentials(plugin, '')]
  if (first.length > 0) return faulty(first)
  const report = await reportOnGenerated(context, plugin)
  if (report.compliance === null) return faulty(report.issues)
  const { passed, blocked, violations, warnings, deferredRules = [] } = report.compliance
  const compliance = {
    ...{ passed, blocked, violations: [...violations], warnings: [...warnings] },
    ...(deferredRules.length === 0 ? {} : { deferredRules: [...deferredRules] }),
  }
  const { dockerfile, ...config } = plugin
  const secrets = new Set((plugin.secrets ?? []).map(({ name }) => name))
  const known: Known = { hosts: around.hosts, images: new Set(), secrets }
  return {
    faults: [],
    blocking: blockingOf(compliance),
    compliance,
    missing: [],
    shown: {
      body: plugin,
      config,
      dockerfile,
      action: report.action,
      validationWarnings: [],
      compliance,
      quota: report.quota,
      suspicious: suspicions(textsOf(plugin), known),
      copied: [],
    },
  }
}
