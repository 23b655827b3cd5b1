/** One scan, live: its counts change while it runs, and its findings are visible at once. */
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type components, useOrganization, useRead, useWrite } from '../../data/api.js'
import { useCheckColumns } from '../../data/checks.js'
import { fileAddress } from '../../data/client.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { follow } from '../../data/stream.js'
import { oneOf, pageNumber, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, Facts, When } from '../../ui/basics.js'
import { Figures, Progress } from '../../ui/charts.js'
import { Segments } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

type Scan = components['schemas']['Scan']
const isOver = ({ status }: Scan) => status !== 'pending' && status !== 'running'
const POLL_MS = 3000
const STATE = { result: oneOf(['block', 'warn'], ''), page: pageNumber() }

export default function ScanPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const t = useWords(words)
  const c = useWords(commonWords)
  const [isLive, setLive] = useState(false)
  const [isMoving, setMoving] = useState(true)
  const scan = useRead(['scans', 'one', id], (api) => api.GET('/compliance/scans/{id}', { params: { path: { id } } }), {
    everyMs: isMoving && !isLive ? POLL_MS : false,
  })
  const format = useFormat()
  const current = scan.data?.scan
  const over = current !== undefined && isOver(current)
  if (over === isMoving) setMoving(!over)
  useLiveScan(id, !over && current !== undefined, setLive)
  const title = current === undefined ? t('scan') : t('of', { date: format.dateTime(current.createdAt) })
  return (
    <Page
      title={title}
      crumbs={<Go to="scans">{t('title')}</Go>}
      actions={current !== undefined && <ScanActions of={current} />}
    >
      <Loaded of={scan}>
        {({ scan: each }) => (
          <>
            <ScanProgress of={each} isLive={isLive} />
            {each.errorMessage !== null && <Message tone="critical">{each.errorMessage}</Message>}
            <section className="stack-small">
              <div className="row-between">
                <h2>{t('findings')}</h2>
                <Go to="checks" search={{ scan: id }}>
                  {t('allChecks')}
                </Go>
              </div>
              {each.dryRun ? null : <Found of={each} />}
            </section>
            <p className="sr">{c('result')}</p>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** An event only says that something changed, so the state is read again. */
function useLiveScan(id: string, isOn: boolean, setLive: (isLive: boolean) => void): void {
  const organization = useOrganization()
  const queries = useQueryClient()
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    void follow({
      organization,
      path: `/compliance/scans/${id}/stream`,
      signal: stop.signal,
      onLive: setLive,
      onEvent({ event }) {
        void queries.invalidateQueries({ queryKey: [organization, 'scans', 'one', id] })
        void queries.invalidateQueries({ queryKey: [organization, 'checks', 'scan', id] })
        return event === 'scan.end'
      },
    })
    return () => stop.abort()
  }, [id, isOn, organization, queries, setLive])
}

function ScanProgress({ of, isLive }: { of: Scan; isLive: boolean }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const format = useFormat()
  const startMs = of.startedAt === null ? null : new Date(of.startedAt).getTime()
  const endMs = of.completedAt === null ? Date.now() : new Date(of.completedAt).getTime()
  const tookMs = startMs === null ? null : Math.max(1, endMs - startMs)
  const rate = tookMs === null ? null : Math.round((of.processedEntities * 1000) / tookMs)
  return (
    <section className="card stack">
      <div className="row">
        <Mark value={of.status} />
        {of.dryRun && <Badge>{t('trial')}</Badge>}
        {!isOver(of) && <Badge tone={isLive ? 'pass' : 'warning'}>{t(isLive ? 'live' : 'notLive')}</Badge>}
        <span aria-live="polite">{t('progress', { done: of.processedEntities, total: of.totalEntities })}</span>
        {rate !== null && !isOver(of) && <span className="muted">{t('rate', { rate })}</span>}
      </div>
      <Progress label={t('title')} value={of.processedEntities} max={Math.max(1, of.totalEntities)} />
      <div className="grid">
        <Figures label={t('blocked')} value={format.number(of.blockCount)} />
        <Figures label={t('warned')} value={format.number(of.warnCount)} />
        <Figures label={t('passed')} value={format.number(of.passCount)} />
      </div>
      <Facts
        of={[
          [t('what'), label(of.target)],
          of.filter?.name === undefined ? null : [t('onlyName'), of.filter.name],
          [t('by'), `${label(of.triggeredBy)}`],
          [c('when'), <When key="w" at={of.createdAt} />],
          of.completedAt === null ? null : [t('ended'), <When key="e" at={of.completedAt} />],
          tookMs === null ? null : [t('took'), format.duration(tookMs)],
        ]}
      />
    </section>
  )
}

/** Its blocked entities, or its warned ones; at first, the worse of those that it has. */
function Found({ of }: { of: Scan }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  const { result, rules } = useCheckColumns()
  const [state, set] = useUrlState(STATE)
  const worst = of.blockCount === 0 && of.warnCount > 0 ? 'warn' : 'block'
  const chosen = state.result === '' ? worst : state.result
  const query = { scanId: of.id, result: chosen, ...pageOf(state.page) } as const
  const checks = useRead(
    ['checks', 'scan', of.id, query],
    (api, signal) => api.GET('/compliance/audit', { params: { query }, signal }),
    { keep: true },
  )
  const isNothing = of.blockCount + of.warnCount === 0
  return (
    <>
      <Segments
        label={c('result')}
        value={chosen}
        options={[
          ['block', `${t('blocked')} (${format.number(of.blockCount)})`],
          ['warn', `${t('warned')} (${format.number(of.warnCount)})`],
        ]}
        onChange={(next) => set({ result: next as 'block' })}
      />
      <Rows
        of={checks}
        rows={({ entries }) => entries}
        total={({ pagination }) => pagination.total}
        page={state.page}
        onPage={(page) => set({ page })}
        caption={t('findings')}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'entity',
            head: c('entity'),
            primary: true,
            cell: ({ id, entityName }) => (
              <Go to="checks" search={{ scan: of.id, sheet: id }}>
                {entityName ?? id}
              </Go>
            ),
          },
          result,
          rules,
        ]}
        empty={
          isNothing ? (
            <Empty title={t('nothing')}>{t('nothingNext', { count: of.processedEntities })}</Empty>
          ) : (
            <Empty title={t('noneOfThem')} />
          )
        }
      />
    </>
  )
}

function ScanActions({ of }: { of: Scan }) {
  const t = useWords(words)
  const organization = useOrganization()
  const canWrite = useCan('compliance:write')
  const cancel = useWrite(
    (api, id: string) => api.POST('/compliance/scans/{id}/cancel', { params: { path: { id } } }),
    {
      stale: ['scans'],
      done: t('cancelled'),
    },
  )
  if (!isOver(of))
    return canWrite ? (
      <>
        <Refused error={cancel.error} />
        <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate(of.id)}>
          {t('cancel')}
        </Button>
      </>
    ) : null
  return (
    <>
      {(['csv', 'sarif', 'jsonl'] as const).map((format) => (
        <a
          key={format}
          className="button"
          href={fileAddress(organization, `/compliance/scans/${of.id}/findings`, { format })}
          download
        >
          <Download size={16} aria-hidden />
          {t(format)}
        </a>
      ))}
    </>
  )
}
