/** A grade for each pipeline, its development over twelve weeks, and what would improve it most. */
import { type components, useRead } from '../../data/api.js'
import { Go, GoHere } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { pageOf, Rows } from '../../data/rows.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { Badge, Facts, Prose, type Tone } from '../../ui/basics.js'
import { Line, Progress } from '../../ui/charts.js'
import { Dialog } from '../../ui/dialog.js'
import { FilterBar } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Level } from './data.js'
import { words } from './words.js'

type Scorecard = components['schemas']['Scorecard']
const STATE = { order: oneOf(['worst', 'best', 'project'], 'worst'), page: pageNumber(), sheet: text() }
const GRADES: Readonly<Record<string, Tone>> = { A: 'pass', B: 'pass', C: 'warning', D: 'error', F: 'critical' }

export default function Scorecards() {
  const t = useWords(words)
  const [{ order, page, sheet }, set] = useUrlState(STATE)
  const query = {
    sortBy: order === 'project' ? ('project' as const) : ('score' as const),
    sortOrder: order === 'best' ? ('desc' as const) : ('asc' as const),
    ...pageOf(page),
  }
  const list = useRead(['scorecards', query], (api) => api.GET('/reports/scorecards', { params: { query } }), {
    keep: true,
  })
  return (
    <Page title={t('scorecards')} question={t('scoreQuestion')}>
      <FilterBar
        onChange={(_, value) => set({ order: value === '' ? 'worst' : (value as 'best') })}
        filters={[
          {
            name: 'order',
            label: t('sort'),
            value: order === 'worst' ? '' : order,
            all: t('worstFirst'),
            options: [
              ['best', t('bestFirst')],
              ['project', t('byName')],
            ],
          },
        ]}
      />
      <Rows
        of={list}
        rows={({ scorecards }) => scorecards}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={(next) => set({ page: next })}
        caption={t('scorecards')}
        rowKey={({ pipelineId }) => pipelineId}
        empty={<Empty title={t('noScorecard')}>{t('noScorecardNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: t('pipeline'),
            primary: true,
            cell: ({ pipelineId, pipelineName, project }) => (
              <GoHere patch={{ sheet: pipelineId }}>{pipelineName ?? project}</GoHere>
            ),
          },
          { id: 'grade', head: t('grade'), cell: (each) => <Grade of={each} /> },
          {
            id: 'score',
            head: t('score'),
            cell: ({ score }) => (score === null ? t('noScore') : t('scoreOf', { score })),
          },
          { id: 'fix', head: t('nextFix'), cell: (each) => <NextFix of={each} /> },
        ]}
      />
      {sheet !== '' && <ScorecardSheet id={sheet} onClose={() => set({ sheet: '' })} />}
    </Page>
  )
}

function Grade({ of }: { of: Scorecard }) {
  const t = useWords(words)
  if (of.grade === null) return <span className="muted">{t('noScore')}</span>
  return <Badge tone={GRADES[of.grade] ?? 'plain'}>{of.grade}</Badge>
}

/** The name of a rule is its author's, that of a metric is ours. */
function FixName({ of: { kind, name } }: { of: Pick<Scorecard['nextBestFix'][number], 'kind' | 'name'> }) {
  const label = useLabel(words)
  return kind === 'metric' ? label(name) : name
}

function NextFix({ of }: { of: Scorecard }) {
  const t = useWords(words)
  const best = of.nextBestFix[0]
  if (best === undefined) return <span className="muted">{t('nothingToFix')}</span>
  return (
    <span className="row">
      <FixName of={best} />
      <Badge tone="pass">{t('gain', { gain: best.gain })}</Badge>
    </span>
  )
}

function ScorecardSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(words)
  const path = { id }
  const card = useRead(['scorecards', 'one', id], (api) => api.GET('/pipelines/{id}/scorecard', { params: { path } }))
  const of = card.data?.scorecard
  return (
    <Dialog kind="sheet" title={of?.pipelineName ?? of?.project ?? t('scorecards')} onClose={onClose}>
      <Loaded of={card}>{({ scorecard }) => <View of={scorecard} />}</Loaded>
    </Dialog>
  )
}

function View({ of }: { of: Scorecard }) {
  const t = useWords(words)
  const format = useFormat()
  const weeks = of.history.filter(({ score }) => score !== null)
  return (
    <>
      <div className="row">
        <Grade of={of} />
        <span className="plan-price num">{of.score === null ? t('noScore') : t('scoreOf', { score: of.score })}</span>
        <Go to={`pipelines/${of.pipelineId}`}>{t('pipeline')}</Go>
      </div>
      {of.degraded.length > 0 && <Message tone="warning">{t('degraded')}</Message>}
      <section className="stack-small">
        <h3>{t('nextFix')}</h3>
        {of.nextBestFix.length === 0 && <p className="muted">{t('nothingToFix')}</p>}
        <ol className="stack-small">
          {of.nextBestFix.map(({ kind, name, gain, how }) => (
            <li key={`${kind} ${name}`}>
              <span className="row">
                <span className="strong">
                  <FixName of={{ kind, name }} />
                </span>
                <Badge tone="pass">{t('gain', { gain })}</Badge>
              </span>
              <Prose text={how} />
            </li>
          ))}
        </ol>
      </section>
      <section className="stack-small">
        <h3>{t('checks')}</h3>
        {of.checks.map(({ name, dimension, points, pointsMax, says }) => (
          <div key={`${dimension} ${name}`} className="stack-small">
            <div className="row-between">
              <span>{says}</span>
              <span className="small muted">{t('points', { points, max: pointsMax })}</span>
            </div>
            <Progress label={says} value={points} max={pointsMax} />
          </div>
        ))}
      </section>
      <Dora of={of} />
      {weeks.length === 0 ? (
        <p className="muted">{`${t('weeks')}: ${t('noHistory')}`}</p>
      ) : (
        <Line
          title={t('weeks')}
          head={t('week')}
          series={[{ id: 'score', label: t('score'), fill: 'accent' }]}
          points={of.history.map(({ date, score }) => ({
            label: format.day(date),
            values: score === null ? {} : { score },
          }))}
        />
      )}
    </>
  )
}

const DORA = ['deploymentFrequency', 'leadTime', 'changeFailureRate', 'meanTimeToRestore'] as const

function Dora({ of }: { of: Scorecard }) {
  const t = useWords(words)
  const known = DORA.filter((name) => of.dora[name] !== null)
  if (known.length === 0) return null
  return <Facts of={known.map((name) => [t(name), <Level key={name} of={of.dora[name]} />] as const)} />
}
