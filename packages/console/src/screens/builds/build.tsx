/**
 * One build: its phases, its log while it grows, and the verdict of the rules on the image. It can be cancelled or
 * started again.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOrganization, useRead, useWrite } from '../../data/api.js'
import { fileAddress } from '../../data/client.js'
import { Go } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useCan } from '../../data/session.js'
import { follow } from '../../data/stream.js'
import { type Violation, WhyCard } from '../../data/why.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, Facts, When } from '../../ui/basics.js'
import { useFormat } from '../../ui/format.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { type Build, BuildState, isOver, PHASES, useBuildLabel } from './data.js'
import { words } from './words.js'

export default function BuildScreen() {
  const t = useWords(words)
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const path = { jobId: id }
  const build = useRead(['builds', 'one', id], (api) => api.GET('/plugins/builds/{jobId}', { params: { path } }))
  const current = build.data?.build
  const log = useLog(id)
  return (
    <Page
      title={current === undefined ? t('title') : `${current.pluginName} ${current.version}`}
      crumbs={<Go to="builds">{t('title')}</Go>}
      actions={current !== undefined && <Actions of={current} />}
    >
      <Loaded of={build}>
        {({ build: of }) => (
          <>
            <View of={of} isLive={log.isLive} />
            <section className="stack-small">
              <div className="row-between">
                <h2>{t('log')}</h2>
                <LogFile id={id} />
              </div>
              <Log text={log.text} />
            </section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function LogFile({ id }: { id: string }) {
  const t = useWords(words)
  const organization = useOrganization()
  return (
    <a className="button" href={fileAddress(organization, `/plugins/builds/${id}/logs`)} download>
      <Download size={16} aria-hidden />
      {t('logFile')}
    </a>
  )
}

const PLACE: Readonly<Record<string, 'stepDone' | 'stepNow' | 'stepLater'>> = {
  past: 'stepDone',
  now: 'stepNow',
  later: 'stepLater',
}

function View({ of, isLive }: { of: Build; isLive: boolean }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useBuildLabel()
  const format = useFormat()
  const at = of.state === 'completed' ? PHASES.length : of.phase === null ? -1 : PHASES.indexOf(of.phase)
  const { startedAt, finishedAt } = of
  const tookMs =
    startedAt === null || finishedAt === null ? null : new Date(finishedAt).getTime() - new Date(startedAt).getTime()
  return (
    <section className="card stack">
      <div className="row">
        <BuildState of={of.state} />
        {!isOver(of) && <Badge tone={isLive ? 'pass' : 'warning'}>{t(isLive ? 'live' : 'notLive')}</Badge>}
        <span className="muted">{t('attempts', { count: of.totalAttempts })}</span>
      </div>
      <ol className="phases" aria-label={t('steps')}>
        {PHASES.map((phase, index) => {
          const place = index < at ? 'past' : index === at ? 'now' : 'later'
          return (
            <li key={phase} data-place={place}>
              {label(phase)}
              <span className="sr"> {t(PLACE[place] ?? 'stepLater')}</span>
            </li>
          )
        })}
      </ol>
      {of.error !== null && (
        <Message tone="error" title={of.category === null ? t('error') : label(of.category)}>
          <span className="anywhere">{of.error}</span>
        </Message>
      )}
      {(of.violations ?? []).length > 0 && (
        <section className="stack-small">
          <h2>{t('violations')}</h2>
          {((of.violations ?? []) as unknown as readonly Violation[]).map((each) => (
            <WhyCard key={each.ruleId} of={each} />
          ))}
        </section>
      )}
      <Facts
        of={[
          [t('plugin'), <Go key="p" to={`plugins/${of.pluginId}`}>{`${of.pluginName} ${of.version}`}</Go>],
          [c('created'), <When key="c" at={of.createdAt} />],
          startedAt === null ? null : [t('started'), <When key="s" at={startedAt} />],
          finishedAt === null ? null : [t('finished'), <When key="f" at={finishedAt} />],
          tookMs === null ? null : [t('took'), format.duration(tookMs)],
          of.nextRunAt === null ? null : [t('nextRun'), <When key="n" at={of.nextRunAt} relative />],
        ]}
      />
    </section>
  )
}

/** Follows the log. Any other event reads the build again. */
function useLog(id: string): { text: string; isLive: boolean } {
  const t = useWords(words)
  const organization = useOrganization()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [isLive, setLive] = useState(false)
  const omitted = t('omitted')
  useEffect(() => {
    const stop = new AbortController()
    setText('')
    void follow({
      organization,
      path: `/plugins/builds/${id}/logs`,
      signal: stop.signal,
      onLive: setLive,
      onEvent({ event, data }) {
        if (event === 'log') {
          const { text: piece, omitted: isCut } = data as { text: string; omitted?: boolean }
          setText((now) => now + (isCut === true ? `\n${omitted}\n` : '') + piece)
        } else void queries.invalidateQueries({ queryKey: [organization, 'builds', 'one', id] })
        return event === 'end'
      },
    })
    return () => stop.abort()
  }, [id, organization, queries, omitted])
  return { text, isLive }
}

/** Scrolls with the log as long as the reader is at its end. */
function Log({ text }: { text: string }) {
  const t = useWords(words)
  const box = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was added moves the end
  useEffect(() => {
    const place = box.current
    if (place !== null && isAtEnd.current) place.scrollTop = place.scrollHeight
  }, [text])
  if (text === '') return <p className="muted">{t('noLog')}</p>
  return (
    <pre
      ref={box}
      className="log"
      tabIndex={0}
      aria-label={t('log')}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
    >
      <code>{text}</code>
    </pre>
  )
}

function Actions({ of }: { of: Build }) {
  const t = useWords(words)
  const canWrite = useCan('plugins:write')
  const canPublish = useCan('plugins:publish')
  const cancel = useWrite(
    (api, jobId: string) => api.POST('/plugins/builds/{jobId}/cancel', { params: { path: { jobId } } }),
    { stale: ['builds'], done: t('cancelled') },
  )
  const retry = useWrite(
    (api, jobId: string) => api.POST('/plugins/queue/failed/{jobId}/retry', { params: { path: { jobId } } }),
    { stale: ['builds'], done: t('retried') },
  )
  return (
    <>
      <Refused error={cancel.error ?? retry.error} />
      {canWrite && !isOver(of) && (
        <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate(of.jobId)}>
          {t('cancel')}
        </Button>
      )}
      {canWrite && canPublish && of.state === 'dead' && (
        <Button busy={retry.isPending} onClick={() => retry.mutate(of.jobId)}>
          {t('retry')}
        </Button>
      )}
    </>
  )
}
