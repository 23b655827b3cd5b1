/** Checks the draft of a pipeline as `/pipelines/validate` checks the body of a create. */
import { CreateBody, findCredentials, reportOn } from '../../pipeline/index.js'
import { visiblePluginNames } from '../../plugin/index.js'
import type { FieldIssue } from '../../runtime/errors.js'
import { type PrepareContext, tenantKey } from '../../runtime/operation/context.js'
import { problems } from '../../runtime/operation/schema.js'
import { unmasked } from '../draft/kept.js'
import { PipelineDraft, pipelineDraftIssues, toBody } from '../draft/pipeline.js'
import { INSTRUCTIONS } from '../prompt.js'
import type { Turn } from '../provider/model.js'
import { blockingOf, type Checked, faulty, type Missing, nearestNames, type Subject } from './checked.js'
import { copiedFrom, type Known, suspicions, textsOf } from './suspicious.js'

export interface Around {
  /** Where a draft leaves its names open. */
  readonly names: { readonly project: string; readonly organization: string }
  readonly before: PipelineDraft | null
  readonly hosts: ReadonlySet<string>
  readonly images: ReadonlySet<string>
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly licence: string | null
}

/** How many names of plugins a model is told, and are compared for the nearest. */
export const NAMES_MAX = 500

export const pipelineSubject = (turns: readonly Turn[], around: Around): Subject => ({
  kind: 'pipeline',
  schema: PipelineDraft,
  schemaName: 'pipeline',
  instructions: INSTRUCTIONS.pipeline,
  turns,
  check: (context, draft) => checkPipeline(context, draft as PipelineDraft, around),
})

/** Paths of a create as those of the draft. */
const inDraft = (issues: readonly FieldIssue[]): FieldIssue[] =>
  issues.map(({ path, ...issue }) => ({ ...issue, path: path.replace(/^\/body/, '').replace(/^\/props/, '') }))

async function checkPipeline(context: PrepareContext, drafted: PipelineDraft, around: Around): Promise<Checked> {
  const { draft, faults: kept } = unmasked(drafted, around.before)
  const lists = [...kept, ...pipelineDraftIssues(draft)]
  if (lists.length > 0) return faulty(lists)
  const body = toBody(draft, around.names)
  const shape = problems(CreateBody, body, '/body')
  if (shape.length > 0) return faulty(inDraft(shape))
  // Of the properties the report looks; description and keywords are shown too.
  const credentials = findCredentials({ description: body.description, keywords: body.keywords }, '')
  if (credentials.length > 0) return faulty(credentials)
  const report = await reportOn(context, body)
  if (report.compliance === null) return faulty(inDraft([...report.issues, ...report.templateIssues]))
  // STRICT_PLUGIN_REFS: a plugin that is not there would refuse the create.
  if (report.issues.length > 0) return faulty(inDraft(report.issues))
  const missing = await missingOf(context, report.warnings)
  const texts = textsOf(body.props)
  const known: Known = { hosts: around.hosts, images: around.images, secrets: secretsOf(texts.map(({ text }) => text)) }
  return {
    faults: [],
    blocking: blockingOf(report.compliance),
    compliance: report.compliance,
    missing,
    shown: {
      body,
      props: body.props,
      description: body.description ?? null,
      keywords: body.keywords ?? [],
      action: report.action,
      validationWarnings: report.warnings,
      compliance: report.compliance,
      quota: report.quota,
      missingPlugins: missing,
      suspicious: suspicions(texts, known),
      copied: copiedFrom(texts, around.files, around.licence),
    },
  }
}

/** A secret that is named as `secret:NAME` is declared by that. */
const secretsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => (text.startsWith('secret:') ? [text.slice('secret:'.length)] : [])))

type Warnings = Awaited<ReturnType<typeof reportOn>>['warnings']

async function missingOf(context: PrepareContext, warnings: Warnings): Promise<Missing[]> {
  const absent = warnings.filter(({ code }) => code === 'PLUGIN_NOT_FOUND')
  if (absent.length === 0) return []
  const names = await context.read((db) => visiblePluginNames(db, tenantKey(context), NAMES_MAX))
  return absent.map(({ plugin, version, path }) => ({
    name: plugin,
    version,
    path: path.replace(/^\/body\/props/, ''),
    nearest: nearestNames(plugin, names),
  }))
}
