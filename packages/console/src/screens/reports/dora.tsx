/**
 * The five figures: value, level and confidence. If a figure is missing, the screen says why and what would provide it.
 */
import { type components, useRead } from '../../data/api.js'
import { Loaded } from '../../data/page.js'
import { sent } from '../../data/rows.js'
import { Badge, Prose } from '../../ui/basics.js'
import { Line } from '../../ui/charts.js'
import { Segments } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { useNear } from '../../ui/near.js'
import { Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Level, lastDays, type MetricName, type Period, useFigure, useReportLabel } from './data.js'
import { WhatIf } from './what-if.js'
import { words } from './words.js'
import { stepWords } from './words-steps.js'

type Dora = components['schemas']['Dora']
type Environment = Dora['environments'][number]
type Metric = Pick<
  Environment['deploymentFrequency'],
  'numerator' | 'denominator' | 'why' | 'nextStep' | 'level' | 'sure' | 'interval' | 'explain' | 'compare'
>
export type TrendBy = 'day' | 'week' | 'month'

export interface Asked {
  readonly days: Period
  readonly environment: string
  readonly pipelineId: string
}

interface DoraProps {
  asked: Asked
  by: TrendBy
  onBy: (by: TrendBy) => void
}

/** The five figures. Parts of a screen that ask for the same share the request. */
export const useDora = ({ days, ...where }: Asked, enabled = true) => {
  const query = sent({ ...where, ...lastDays(days) })
  return useRead(
    ['reports', 'dora', query],
    (api) => api.GET('/reports/execution/dora', { params: { query: { ...query, explain: true, compare: true } } }),
    { keep: true, enabled },
  )
}

export function DoraTab({ asked, by, onBy }: DoraProps) {
  const { days, ...where } = asked
  const query = sent({ ...where, ...lastDays(days) })
  const dora = useDora(asked)
  return (
    <>
      <Loaded of={dora}>
        {({ dora: of, range }) => (
          <>
            <Figures of={of} range={range} />
            <Trend query={query} by={by} onBy={onBy} />
            <WhatIf query={query} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Figures({ of, range }: { of: Dora; range: components['schemas']['Range'] }) {
  const t = useWords(words)
  const format = useFormat()
  const shown = of.environments.find(({ headline }) => headline) ?? of.environments[0]
  return (
    <>
      {range.clamped && <Message>{t('clamped', { date: format.date(range.from) })}</Message>}
      <div className="row">
        {of.overallLevel !== null && (
          <span className="row">
            {t('overall')} <Level of={of.overallLevel} />
          </span>
        )}
        {shown !== undefined && <Badge>{shown.environment}</Badge>}
        <span className="muted">
          {t('coverage', { deploying: of.coverage.deploying, registered: of.coverage.registered })}
        </span>
      </div>
      <div className="grid">
        {shown !== undefined && <OfEnvironment of={shown} />}
        <Card name="meanTimeToRestore" value={of.meanTimeToRestore.medianSeconds} of={of.meanTimeToRestore} />
      </div>
    </>
  )
}

function OfEnvironment({ of }: { of: Environment }) {
  const { deploymentFrequency, changeFailureRate, leadTime, failedDeploymentRecovery, reworkRate } = of
  return (
    <>
      <Card name="deploymentFrequency" value={deploymentFrequency.perDay} of={deploymentFrequency} />
      <Card name="leadTime" value={leadTime.medianSeconds} of={leadTime} />
      <Card name="changeFailureRate" value={changeFailureRate.rate} of={changeFailureRate} />
      <Card
        name="failedDeploymentRecovery"
        value={failedDeploymentRecovery.medianSeconds}
        of={failedDeploymentRecovery}
      />
      <Card name="reworkRate" value={reworkRate.rate} of={reworkRate} />
    </>
  )
}

function Card({ name, value, of }: { name: MetricName; value: number | null; of: Metric }) {
  const t = useWords(words)
  const figure = useFigure()
  const { interval, compare, numerator, denominator } = of
  return (
    <section className="card stack-small">
      <div className="row-between">
        <h2>{t(name)}</h2>
        <Level of={of.level} />
      </div>
      {value === null ? (
        <NoValue of={of} />
      ) : (
        <>
          <b className="plan-price num">{figure(name, value)}</b>
          {interval !== null && (
            <span className="small muted">
              {t('between', { low: figure(name, interval.low), high: figure(name, interval.high) })}
              {of.sure === false && `; ${t('unsure')}`}
            </span>
          )}
          {name !== 'deploymentFrequency' && <span className="small muted">{t('of', { numerator, denominator })}</span>}
          {compare != null && compare.previous !== null && (
            <span className="row small">
              {t('before', { previous: figure(name, compare.previous) })}
              {compare.moreThanChance !== null && (
                <Badge tone={compare.moreThanChance ? 'accent' : 'plain'}>
                  {t(compare.moreThanChance ? 'realChange' : 'chance')}
                </Badge>
              )}
            </span>
          )}
        </>
      )}
      {of.explain !== undefined && of.explain.dropped.length > 0 && <Explained of={of.explain} />}
    </section>
  )
}

function NoValue({ of }: { of: Pick<Metric, 'why' | 'nextStep'> }) {
  const t = useWords(words)
  const label = useReportLabel()
  const step = useLabel(stepWords)
  return (
    <Message title={of.why === null ? t('unknown') : label(of.why)}>
      {of.nextStep !== null && (
        <p>
          <Prose text={step(of.nextStep)} />
        </p>
      )}
    </Message>
  )
}

function Explained({ of }: { of: components['schemas']['Explain'] }) {
  const t = useWords(words)
  const label = useReportLabel()
  return (
    <details className="small">
      <summary>{t('explainCounted', { counted: of.counted, candidates: of.candidates })}</summary>
      <ul>
        {of.dropped.map(({ reason, count, samples }) => (
          <li key={reason}>
            {t('dropped', { count, reason: label(reason) })}
            <span className="muted anywhere">
              {' '}
              {samples.map(({ executionId, incidentId }) => executionId ?? incidentId ?? '').join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

type Query = Readonly<{ from?: string; to?: string; environment?: string; pipelineId?: string }>

function Trend({ query, by, onBy }: { query: Query; by: TrendBy; onBy: (by: TrendBy) => void }) {
  const t = useWords(words)
  const [section, isNear] = useNear<HTMLElement>()
  const trend = useRead(
    ['reports', 'trend', query, by],
    (api) => api.GET('/reports/execution/dora/trend', { params: { query: { ...query, interval: by } } }),
    { keep: true, enabled: isNear },
  )
  return (
    <section ref={section} className="stack-small">
      <div className="row-between">
        <h2>{t('trend')}</h2>
        <Segments
          label={t('by')}
          value={by}
          options={[
            ['day', t('day')],
            ['week', t('week')],
            ['month', t('month')],
          ]}
          onChange={(next) => onBy(next as TrendBy)}
        />
      </div>
      <Loaded of={trend}>{({ trend: points }) => <TrendCharts of={points} by={by} />}</Loaded>
    </section>
  )
}

const HOUR_SECONDS = 3600

function TrendCharts({ of, by }: { of: readonly components['schemas']['DoraTrendTrend'][]; by: TrendBy }) {
  const t = useWords(words)
  const format = useFormat()
  const charts = [
    ['trendFrequency', 'perDay', 1],
    ['trendFailure', 'changeFailurePct', 1],
    ['trendLead', 'leadTimeSeconds', HOUR_SECONDS],
  ] as const
  return (
    <div className="grid-wide">
      {charts.map(([title, field, unit]) => (
        <section key={title} className="card">
          <Line
            title={t(title)}
            head={t(by)}
            series={[{ id: 'value', label: t(title), fill: 'accent' }]}
            points={of.map((point) => {
              const value = point[field]
              return {
                label: by === 'month' ? format.month(point.period) : format.day(point.period),
                values: value === null ? {} : { value: Math.round((value / unit) * 100) / 100 },
                ...(point.partial ? { note: t('partial') } : {}),
              }
            })}
          />
        </section>
      ))}
    </div>
  )
}
