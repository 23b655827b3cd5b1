/** Checks a pipeline draft as `/pipelines/validate` checks the body of a create. */
import { looseName } from '@plumbline/engine'
import { CreateBody, findCredentials, reportOn } from '../../pipeline/index.js'
import { visiblePluginNames } from '../../plugin/index.js'
import type { FieldIssue } from '../../runtime/errors.js'
import { type PrepareContext, tenantKey } from '../../runtime/operation/context.js'
import { problems } from '../../runtime/operation/schema.js'
import { PipelineDraft, pipelineDraftIssues, toBody } from '../draft/pipeline.js'
import { unmasked } from '../draft/placeholders.js'
import { INSTRUCTIONS } from '../prompt.js'
import type { Turn } from '../provider/model.js'
import { blockingOf, type Checked, faulty, type Missing, nearestNames, type Subject } from './checked.js'
import { copiedFrom, type Known, type Suspicion, suspicions, textsOf } from './suspicious.js'

export interface AskedRepository {
  readonly host: string
  /** The name with its owner. */
  readonly name: string
  /** The source type that addresses the repository by owner and name; null when only `git` can. */
  readonly type: string | null
  readonly flags: readonly Suspicion[]
}

export interface Around {
  /** Defaults for names that the draft leaves open. */
  readonly names: { readonly project: string; readonly organization: string }
  readonly before: PipelineDraft | null
  readonly hosts: ReadonlySet<string>
  readonly images: ReadonlySet<string>
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly licence: string | null
  /** The requested repository and its flags; null for a prompt. */
  readonly repository: AskedRepository | null
}

/** How many plugin names the model gets, and how many are compared for the nearest. */
export const NAMES_MAX = 500

export const pipelineSubject = (turns: readonly Turn[], around: Around): Subject => ({
  kind: 'pipeline',
  schema: PipelineDraft,
  schemaName: 'pipeline',
  instructions: INSTRUCTIONS.pipeline,
  turns,
  check: (context, draft) => checkPipeline(context, draft as PipelineDraft, around),
})

/** Converts paths of a create into paths of the draft. */
const inDraft = (issues: readonly FieldIssue[]): FieldIssue[] =>
  issues.map(({ path, ...issue }) => ({ ...issue, path: path.replace(/^\/body/, '').replace(/^\/props/, '') }))

async function checkPipeline(context: PrepareContext, drafted: PipelineDraft, around: Around): Promise<Checked> {
  const { draft, faults: kept } = unmasked(drafted, around.before)
  const lists = [...kept, ...pipelineDraftIssues(draft)]
  if (lists.length > 0) return faulty(lists)
  const body = toBody(draft, around.names)
  const shape = problems(CreateBody, body, '/body')
  if (shape.length > 0) return faulty(inDraft(shape))
  // The report covers the properties; description, keywords and labels are also shown, so they are checked here.
  const { description, keywords, labels } = body
  const credentials = findCredentials({ description, keywords, labels }, '')
  if (credentials.length > 0) return faulty(credentials)
  const report = await reportOn(context, body)
  if (report.compliance === null) return faulty(inDraft([...report.issues, ...report.templateIssues]))
  // STRICT_PLUGIN_REFS: a missing plugin would refuse the create.
  if (report.issues.length > 0) return faulty(inDraft(report.issues))
  const missing = await missingOf(context, report.warnings)
  const texts = [...textsOf(body.props), ...textsOf(labels, '/labels')]
  const known: Known = { hosts: around.hosts, images: around.images, secrets: secretsOf(texts.map(({ text }) => text)) }
  return {
    faults: [],
    blocking: blockingOf(report.compliance),
    compliance: report.compliance,
    missing,
    shown: {
      body,
      props: body.props,
      description: description ?? null,
      keywords: keywords ?? [],
      labels: labels ?? {},
      action: report.action,
      validationWarnings: report.warnings,
      compliance: report.compliance,
      quota: report.quota,
      missingPlugins: missing,
      suspicious: [...suspicions(texts, known), ...ofRepository(draft, around)],
      copied: copiedFrom(texts, around.files, around.licence),
    },
  }
}

/**
 * Flags a draft with another source: a manipulated model could make another repository build with the secrets of this
 * pipeline.
 */
function ofRepository(draft: PipelineDraft, { repository, names }: Around): Suspicion[] {
  if (repository === null) return []
  const { source } = draft.synth
  const { host, name, type } = repository
  const flags = [...foreignNames(draft, names), ...repository.flags]
  const repo = (source.repo ?? '').toLowerCase().replace(/\.git$/, '')
  const addresses = [`https://${host}/${name}`, `ssh://git@${host}/${name}`, `git@${host}:${name}`]
  const named = source.type === 'git' ? addresses : source.type === type ? [name] : []
  // guard: a-draft-builds-the-repository-that-was-asked-for
  const isIts = named.some((each) => each.toLowerCase() === repo)
  if (isIts) return [...flags]
  const message = `builds from ${source.repo ?? source.type}, which is not the repository that you named`
  return [{ path: '/synth/source', code: 'foreign-source', message }, ...flags]
}

/** A create updates the pipeline of its project and organization: text of a repository could name another one. */
const foreignNames = (draft: PipelineDraft, names: Around['names']): Suspicion[] =>
  (['project', 'organization'] as const).flatMap((key) => {
    const named = draft[key]
    // guard: a-repository-names-no-project
    if (named === null || looseName(named) === looseName(names[key])) return []
    const message = `names the ${key} ${named}, which you did not: a pipeline of that name would be changed`
    return [{ path: `/${key}`, code: 'foreign-name' as const, message }]
  })

/** A text of the form `secret:NAME` declares the secret. */
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
