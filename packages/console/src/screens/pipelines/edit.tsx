/** A pipeline, or a list of them, as YAML or JSON: validated without storing it, then created or changed. */
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { stringify } from 'yaml'
import { type components, type operations, useRead, useWrite } from '../../data/api.js'
import { Blocked } from '../../data/blocked.js'
import { etagOf } from '../../data/client.js'
import { Go, useGo } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { issuesOf } from '../../data/refused.js'
import { useCan, useSession } from '../../data/session.js'
import { readSource, type Source } from '../../data/source.js'
import { type Violation, WhyCard } from '../../data/why.js'
import { commonWords } from '../../data/words.js'
import { Button } from '../../ui/basics.js'
import { TextField } from '../../ui/field.js'
import { arriving } from '../../ui/part.js'
import { Lines, Message, Skeleton } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'
import { editWords } from './words-edit.js'

const CodeEditor = lazy(() => arriving(() => import('../../ui/code-editor.js')))
type Pipeline = components['schemas']['Pipeline']
type Body = components['schemas']['PipelineCreateBody']
type Answer<O extends keyof operations> = operations[O] extends {
  responses: { 200: { content: { 'application/json': { data: infer D } } } }
}
  ? D
  : never
type Report = Answer<'pipeline.pipeline.validate'>
type Done = Answer<'pipeline.pipeline.bulk-create'>

/** The server takes so many in one request. */
const ITEMS_MAX = 100
const NO_WORDS: readonly never[] = []
const WRITTEN = [
  ...['project', 'organization', 'pipelineName', 'description', 'keywords', 'accessModifier', 'isActive'],
  ...['lifecycle', 'criticality', 'labels', 'links', 'props'],
] as const

const example = (organization: string) => ({
  project: 'web',
  organization,
  description: 'Builds and deploys the web application',
  props: {
    synth: {
      source: { type: 'github', options: { repo: `${organization}/web`, branch: 'main' } },
      plugin: { name: 'node-build' },
    },
  },
})

/** The fields of a stored pipeline that a person writes. */
const writtenOf = (of: Pipeline): Readonly<Record<string, unknown>> =>
  Object.fromEntries(WRITTEN.map((name) => [name, of[name as keyof Pipeline]]).filter(([, value]) => value !== null))

export default function PipelineEditPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const t = useWords(editWords)
  const p = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const canWrite = useCan('pipelines:write')
  const title = t(id === undefined ? 'newTitle' : 'editTitle')
  const crumbs = <Go to="pipelines">{p('title')}</Go>
  if (!canWrite)
    return (
      <Page title={title} crumbs={crumbs}>
        <Message>{c('mayNot')}</Message>
      </Page>
    )
  if (id === undefined) return <Editor of={null} begin={example(organization.slug)} />
  return <EditStored key={id} id={id} title={title} />
}

function EditStored({ id, title }: { id: string; title: string }) {
  const pipeline = useRead(['pipelines', 'one', id], (api) => api.GET('/pipelines/{id}', { params: { path: { id } } }))
  if (pipeline.data === undefined) return <Page title={title}>{<Loaded of={pipeline}>{() => null}</Loaded>}</Page>
  return <Editor of={pipeline.data.pipeline} begin={writtenOf(pipeline.data.pipeline)} />
}

/** The answer about one entry of the text. */
interface Found {
  readonly report?: Report
  readonly error?: Error
}

interface Problem {
  readonly line: number
  readonly column: number
  readonly message: string
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The pipelines of the text; null if it is something else. */
function entriesOf(value: unknown): readonly Body[] | null {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isRight = entries.length > 0 && entries.length <= ITEMS_MAX && entries.every(isObject)
  return isRight ? (entries as readonly Body[]) : null
}

/** The place of an entry of a list. */
const LISTED = '/body/pipelines/'

/** `/body/props` of the entry, or `/body/pipelines/3/props`, as a pointer into the text. */
function pointerOf(path: string, source: Source, index: number): string {
  if (path.startsWith(LISTED)) return path.slice(LISTED.length - 1)
  return `${Array.isArray(source.value) ? `/${index}` : ''}${path.replace(/^\/body/, '')}`
}

interface EditorProps {
  /** The stored pipeline; null for new ones. */
  of: Pipeline | null
  begin: Readonly<Record<string, unknown>>
}

function Editor({ of, begin }: EditorProps) {
  const t = useWords(editWords)
  const p = useWords(words)
  const go = useGo()
  const [etag] = useState(() => (of === null ? null : etagOf(`/pipelines/${of.id}`)))
  const [text, setText] = useState(() => stringify(begin))
  const [loads, setLoads] = useState(0)
  /** The text that the server answered about, and its answers. */
  const [asked, setAsked] = useState<Source | null>(null)
  const [found, setFound] = useState<readonly Found[]>([])
  const source = useMemo(() => readSource(text), [text])
  const entries = source.problems.length > 0 ? null : entriesOf(source.value)
  const isList = Array.isArray(source.value)
  const isReadable = entries !== null && !(isList && of !== null)
  const validate = useWrite((api, body: Body) => api.POST('/pipelines/validate', { body }), { stale: [] })
  const create = useWrite((api, body: Body) => api.POST('/pipelines', { body }), {
    stale: ['pipelines'],
    done: p('made'),
    onDone: ({ pipeline }) => go(`pipelines/${pipeline.id}`),
  })
  const update = useWrite(
    (api, body: Body) => api.PUT('/pipelines/{id}', { params: { path: { id: of?.id ?? '' } }, body: body as never }),
    {
      stale: ['pipelines'],
      done: t('changed'),
      onDone: ({ pipeline }) => go(`pipelines/${pipeline.id}`),
      ifMatch: () => etag,
    },
  )
  const bulk = useWrite(
    (api, pipelines: readonly Body[]) =>
      api.POST('/pipelines/bulk/create', { body: { pipelines: [...pipelines] as never } }),
    {
      stale: ['pipelines'],
      done: ({ created, updated }) => t('bulkDone', { count: created + updated }),
      onDone: ({ failed }) => {
        if (failed === 0) go('pipelines')
      },
    },
  )
  const save = of === null ? create : update
  const isBusy = validate.isPending || save.isPending || bulk.isPending
  const begun = () => {
    save.reset()
    bulk.reset()
    setFound([])
    setAsked(source)
  }
  const check = async () => {
    if (entries === null || isBusy) return
    begun()
    for (const entry of entries) {
      const answer: Found = await validate.mutateAsync(of === null ? entry : { ...begin, ...entry }).then(
        (report) => ({ report }),
        (error: Error) => ({ error }),
      )
      setFound((before) => [...before, answer])
    }
  }
  const store = () => {
    if (entries === null || isBusy) return
    begun()
    const [only] = entries
    if (isList) bulk.mutate(entries)
    else if (only !== undefined) save.mutate(only)
  }
  const load = async (file: File | undefined) => {
    if (file === undefined) return
    setText(await file.text())
    setLoads(loads + 1)
  }
  const refused = save.error ?? bulk.error
  const answered = useProblems(asked, found, refused, bulk.data)
  const problems = source.problems.length > 0 ? source.problems : answered
  return (
    <Page
      title={of === null ? t('newTitle') : t('editTitle')}
      question={of === null ? t('newQuestion') : of.pipelineName}
      crumbs={of === null ? <Go to="pipelines">{p('title')}</Go> : <Go to={`pipelines/${of.id}`}>{of.pipelineName}</Go>}
      actions={
        <>
          <Button busy={validate.isPending} disabled={!isReadable || isBusy} onClick={() => void check()}>
            {t(asked === null ? 'validate' : 'validateAgain')}
          </Button>
          <Button kind="main" busy={save.isPending || bulk.isPending} disabled={!isReadable || isBusy} onClick={store}>
            {of === null ? (isList ? t('makeMany', { count: entries?.length ?? 0 }) : p('make')) : t('save')}
          </Button>
        </>
      }
    >
      <div className="editor-grid">
        <div className="stack">
          <TextField
            label={t('file')}
            hint={of === null ? t('fileHint', { count: ITEMS_MAX }) : t('editHint')}
            type="file"
            accept=".yaml,.yml,.json"
            onChange={(event) => void load(event.target.files?.[0])}
          />
          <Suspense fallback={<Skeleton />}>
            <CodeEditor
              key={loads}
              label={t('text')}
              language="yaml"
              value={text}
              words={NO_WORDS}
              problem={null}
              marks={problems}
              onChange={setText}
            />
          </Suspense>
        </div>
        <div className="stack" aria-live="polite">
          {source.problems.length === 0 && !isReadable && <Message tone="warning">{t('notPipelines')}</Message>}
          <Problems of={problems} />
          <Refusal of={refused} />
          {found.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer has the place of its entry
            <Verdict key={index} of={each} name={asked === null ? '' : nameOf(asked, index)} />
          ))}
          {bulk.data !== undefined && asked !== null && <Items of={bulk.data} source={asked} />}
          {asked === null && source.problems.length === 0 && <p className="muted">{t('notAsked')}</p>}
        </div>
      </div>
    </Page>
  )
}

const nameOf = (source: Source, index: number): string => {
  const entry = entriesOf(source.value)?.[index]
  return entry === undefined ? '' : String(entry.pipelineName ?? entry.project ?? '')
}

/** Every problem of the answers, at its place in the text that they are about. */
function useProblems(
  asked: Source | null,
  found: readonly Found[],
  refused: Error | null,
  done: Done | undefined,
): readonly Problem[] {
  return useMemo(() => {
    if (asked === null) return []
    const at = (index: number) => (issue: { path: string; message: string }) => ({
      ...asked.spotOf(pointerOf(issue.path, asked, index)),
      message: issue.message,
    })
    return [
      ...found.flatMap(({ report, error }, index) =>
        [...(report?.issues ?? []), ...(report?.templateIssues ?? []), ...issuesOf(error ?? null)].map(at(index)),
      ),
      ...issuesOf(refused).map(at(0)),
      ...(done?.items ?? []).flatMap(({ index, details }) => {
        const { issues = [] } = (details ?? {}) as { issues?: { path: string; message: string }[] }
        return issues.map(at(index))
      }),
    ]
  }, [asked, found, refused, done])
}

function Problems({ of }: { of: readonly Problem[] }) {
  const t = useWords(editWords)
  if (of.length === 0) return null
  return (
    <Message tone="critical" live title={t('problems', { count: of.length })}>
      <Lines of={of.map(({ line, column, message }) => `\`${line}:${column}\` ${message}`)} />
    </Message>
  )
}

/** A refusal whose issues are not in the list of problems. */
const Refusal = ({ of }: { of: Error | null }) => (issuesOf(of).length > 0 ? null : <Blocked error={of} />)

function Verdict({ of: { report, error }, name }: { of: Found; name: string }) {
  const t = useWords(editWords)
  if (report === undefined) return <Refusal of={error ?? null} />
  const violations = (report.compliance?.violations ?? []) as unknown as readonly Violation[]
  const warned = (report.compliance?.warnings ?? []) as unknown as readonly Violation[]
  const { valid, action, quota } = report
  return (
    <section className="stack" aria-label={name}>
      <Message
        tone={valid ? 'pass' : 'critical'}
        title={valid ? t(action === 'update' ? 'wouldUpdate' : 'wouldCreate', { name }) : t('notValid', { name })}
      >
        {t('nothingStored')}
      </Message>
      {quota?.message != null && <Message tone="critical">{quota.message}</Message>}
      {report.warnings.length > 0 && (
        <Message tone="warning">
          <Lines of={report.warnings.map(({ path, message }) => `\`${path.replace(/^\/body\//, '')}\` ${message}`)} />
        </Message>
      )}
      {[...violations, ...warned].map((each) => (
        <WhyCard key={`${each.ruleId} ${each.field}`} of={each} />
      ))}
    </section>
  )
}

/** What became of each pipeline of a list, if some failed. */
function Items({ of, source }: { of: Done; source: Source }) {
  const t = useWords(editWords)
  if (of.failed === 0) return null
  const failed = of.items.filter(({ status }) => status === 'failed')
  return (
    <Message tone="error" live title={t('someFailed', { failed: of.failed, count: of.items.length })}>
      <ul>
        {failed.map(({ index, message, details }) => {
          const { violations = [], checkId } = (details ?? {}) as { violations?: Violation[]; checkId?: string }
          return (
            <li key={index}>
              <span className="strong">{nameOf(source, index)}</span> {message}{' '}
              {violations.map(({ ruleName }) => ruleName).join(', ')}{' '}
              {checkId !== undefined && (
                <Go to="checks" search={{ sheet: checkId }}>
                  {t('check')}
                </Go>
              )}
            </li>
          )
        })}
      </ul>
    </Message>
  )
}
