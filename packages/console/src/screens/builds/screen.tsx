import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, Prose, When } from '../../ui/basics.js'
import { Figures } from '../../ui/charts.js'
import { FilterBar } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Tabs } from '../../ui/menu.js'
import { Empty, Message } from '../../ui/states.js'
import { DataTable } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { Builders } from './builders.js'
import { BUILD_STATES, BuildState, useBuildLabel } from './data.js'
import { words } from './words.js'

const STATE = {
  tab: oneOf(['builds', 'queue', 'failed', 'dead'], 'builds'),
  state: oneOf(BUILD_STATES, ''),
  q: text(),
  page: pageNumber(),
}
const LIVE_MS = 15_000

export default function Builds() {
  const t = useWords(words)
  const canWrite = useCan('plugins:write')
  const canPublish = useCan('plugins:publish')
  const [state, set] = useUrlState(STATE)
  const config = useRead(['config'], (api) => api.GET('/config'), { aside: true })
  const paging = { page: state.page, onPage: (page: number) => set({ page }) }
  return (
    <Page title={t('title')} question={t('question')}>
      {config.data?.features.builder === false && (
        <Message tone="warning" title={t('noBuilder')}>
          <Prose text={t('noBuilderNext')} />
        </Message>
      )}
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'builds', page: 1 })}
        tabs={[
          { id: 'builds', label: t('builds'), content: () => <BuildList state={state} set={set} /> },
          ...(canPublish ? [{ id: 'queue', label: t('queue'), content: () => <Queue /> }] : []),
          ...(canWrite
            ? [
                { id: 'failed', label: t('failures'), content: () => <Failed {...paging} canRetry={canPublish} /> },
                {
                  id: 'dead',
                  label: t('deadLetters'),
                  content: () => <DeadLetters {...paging} canRetry={canPublish} />,
                },
              ]
            : []),
        ]}
      />
    </Page>
  )
}

type State = ReturnType<typeof useUrlState<typeof STATE>>

function BuildList({ state, set }: { state: State[0]; set: State[1] }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useBuildLabel()
  const query = {
    ...sent({ state: state.state, pluginName: state.q }),
    ...pageOf(state.page),
    sortBy: 'createdAt' as const,
    sortOrder: 'desc' as const,
  }
  const list = useRead(['builds', query], (api) => api.GET('/plugins/builds', { params: { query } }), {
    keep: true,
    everyMs: LIVE_MS,
  })
  return (
    <>
      <FilterBar
        text={{ label: t('plugin'), value: state.q, onChange: (q) => set({ q }) }}
        onChange={(_, value) => set({ state: value as State[0]['state'] })}
        filters={[{ name: 'state', label: c('state'), value: state.state, options: optionsOf(BUILD_STATES, label) }]}
      />
      <Rows
        of={list}
        rows={({ builds }) => builds}
        total={({ pagination }) => pagination.total}
        page={state.page}
        onPage={(page) => set({ page })}
        caption={t('builds')}
        rowKey={({ jobId }) => jobId}
        onClear={state.state === '' && state.q === '' ? undefined : () => set({ state: '', q: '' })}
        empty={<Empty title={t('noBuild')}>{t('noBuildNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: t('plugin'),
            primary: true,
            cell: ({ jobId, pluginName, version }) => <Go to={`builds/${jobId}`}>{`${pluginName} ${version}`}</Go>,
          },
          { id: 'state', head: c('state'), cell: ({ state: of }) => <BuildState of={of} /> },
          { id: 'phase', head: t('phase'), cell: ({ phase }) => label(phase) },
          { id: 'cause', head: t('category'), cell: ({ category }) => label(category) },
          { id: 'attempts', head: t('attempt'), end: true, cell: ({ totalAttempts }) => totalAttempts },
          { id: 'at', head: c('when'), cell: ({ createdAt }) => <When at={createdAt} relative /> },
        ]}
      />
    </>
  )
}

function Queue() {
  const t = useWords(words)
  const format = useFormat()
  const status = useRead(['builds', 'queue'], (api) => api.GET('/plugins/queue/status'), { everyMs: LIVE_MS })
  return (
    <Loaded of={status}>
      {(of) => (
        <>
          <div className="grid-figures">
            {(['waiting', 'active', 'delayed', 'completed'] as const).map((name) => (
              <div key={name} className="card">
                <Figures label={t(name)} value={format.number(of[name])} />
              </div>
            ))}
            <div className="card">
              <Figures label={t('deadLetters')} value={format.number(of.dlq.total)} />
            </div>
            <div className="card">
              <Figures label={t('oldest')} value={format.duration(of.oldestWaitingSeconds * 1000)} />
            </div>
          </div>
          <Builders of={of.builders} />
          <section className="stack-small">
            <h2>{t('byTier')}</h2>
            <DataTable
              rows={Object.entries(of.tiers)}
              caption={t('byTier')}
              rowKey={([tier]) => tier}
              empty={null}
              columns={[
                { id: 'tier', head: t('tier'), primary: true, cell: ([tier]) => tier },
                { id: 'waiting', head: t('waiting'), end: true, cell: ([, each]) => format.number(each.waiting) },
                { id: 'active', head: t('active'), end: true, cell: ([, each]) => format.number(each.active) },
                { id: 'delayed', head: t('delayed'), end: true, cell: ([, each]) => format.number(each.delayed) },
                { id: 'failed', head: t('failedCount'), end: true, cell: ([, each]) => format.number(each.failed) },
              ]}
            />
          </section>
        </>
      )}
    </Loaded>
  )
}

interface ListProps {
  page: number
  onPage: (page: number) => void
  canRetry: boolean
}

type Job = components['schemas']['QueueJob']
const nameOf = ({ pluginName, version }: Pick<Job, 'pluginName' | 'version'>) => `${pluginName} ${version}`

/** The columns that both lists of failures share. */
function useColumns() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useBuildLabel()
  return [
    { id: 'name', head: t('plugin'), primary: true, cell: (of: Job) => <Go to={`builds/${of.id}`}>{nameOf(of)}</Go> },
    { id: 'cause', head: t('category'), cell: ({ category }: Job) => label(category) },
    { id: 'error', head: t('error'), cell: ({ error }: Job) => <span className="clip">{error ?? '–'}</span> },
    { id: 'attempts', head: t('attempt'), end: true, cell: ({ attemptsMade }: Job) => attemptsMade },
    { id: 'at', head: c('when'), cell: ({ failedAt }: Job) => <When at={failedAt} relative /> },
  ]
}

function Failed({ page, onPage, canRetry }: ListProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useBuildLabel()
  const columns = useColumns()
  const query = pageOf(page)
  const list = useRead(['builds', 'failed', page], (api) => api.GET('/plugins/queue/failed', { params: { query } }))
  const triage = useRead(['builds', 'triage'], (api) => api.GET('/plugins/queue/triage'), { aside: true })
  const retry = useWrite(
    (api, jobId: string) => api.POST('/plugins/queue/failed/{jobId}/retry', { params: { path: { jobId } } }),
    { stale: ['builds'], done: t('retried') },
  )
  const causes = triage.data?.categories ?? []
  return (
    <>
      {causes.length > 0 && (
        <p className="row">
          {t('triage')}
          {causes.map(({ category, count }) => (
            <Badge key={category}>{`${label(category)} ${count}`}</Badge>
          ))}
        </p>
      )}
      <Refused error={retry.error} />
      <Rows
        of={list}
        rows={({ jobs }) => jobs}
        total={({ total }) => total}
        page={page}
        onPage={onPage}
        caption={t('failures')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noFailure')}>{t('noFailureNext')}</Empty>}
        columns={[
          ...columns,
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (of) =>
              canRetry && (
                <Button aria-label={t('retryOf', { name: nameOf(of) })} onClick={() => retry.mutate(of.id)}>
                  {t('retry')}
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}

function DeadLetters({ page, onPage, canRetry }: ListProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const columns = useColumns()
  const [replayed, setReplayed] = useState<string | null>(null)
  const query = pageOf(page)
  const list = useRead(['builds', 'dead', page], (api) => api.GET('/plugins/queue/dlq', { params: { query } }))
  const replay = useWrite(
    (api, jobId: string) => api.POST('/plugins/queue/dlq/{jobId}/replay', { params: { path: { jobId } } }),
    { stale: ['builds'], done: t('retried'), onDone: ({ newJobId }) => setReplayed(newJobId) },
  )
  return (
    <>
      <Refused error={replay.error} />
      {replayed !== null && (
        <Message tone="pass" title={t('retried')} actions={<Go to={`builds/${replayed}`}>{t('log')}</Go>} />
      )}
      <Rows
        of={list}
        rows={({ jobs }) => jobs}
        total={({ total }) => total}
        page={page}
        onPage={onPage}
        caption={t('deadLetters')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noFailure')}>{t('noFailureNext')}</Empty>}
        columns={[
          ...columns,
          {
            id: 'again',
            head: t('nextRun'),
            cell: ({ failureCategory }) => t(failureCategory === 'retryable' ? 'canRepeat' : 'permanent'),
          },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (of) =>
              canRetry && (
                <Button aria-label={t('replayOf', { name: nameOf(of) })} onClick={() => replay.mutate(of.id)}>
                  {t('replay')}
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}
