import { type operations, useRead } from '../../data/api.js'
import { Go, useGo } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useCan } from '../../data/session.js'
import { oneOf, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Bars, Figures } from '../../ui/charts.js'
import { Segments } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { DataTable } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Summary = operations['compliance.summary.get']['responses']['200']['content']['application/json']['data']
const STATE = { days: oneOf(['30', '90'], '30') }

export default function Overview() {
  const t = useWords(words)
  const [state, set] = useUrlState(STATE)
  const query = { days: state.days === '90' ? 90 : 30 }
  const summary = useRead(['summary', query], (api) => api.GET('/compliance/summary', { params: { query } }), {
    keep: true,
  })
  const days = (
    <Segments
      label={t('days')}
      value={state.days}
      options={[
        ['30', t('days30')],
        ['90', t('days90')],
      ]}
      onChange={(value) => set({ days: value as '30' })}
    />
  )
  return (
    <Page title={t('title')} question={t('question')} actions={days}>
      <Loaded of={summary}>{(of) => (isEmpty(of) ? <FirstSteps /> : <Numbers of={of} />)}</Loaded>
    </Page>
  )
}

const isEmpty = ({ checks, findings }: Summary) => checks.pass + checks.warn + checks.block + findings.total === 0

/** An organization without any activity gets its next steps instead of zeros. */
function FirstSteps() {
  const t = useWords(words)
  const steps = [
    ['rules/new', t('stepRule')],
    ['library', t('stepLibrary')],
    ['pipelines', t('stepEntity')],
    ['scans', t('stepScan')],
    ['organization', t('stepNotify')],
  ] as const
  return (
    <section className="card">
      <h2>{t('begin')}</h2>
      <ol>
        {steps.map(([to, text]) => (
          <li key={to}>
            <Go to={to}>{text}</Go>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Numbers({ of }: { of: Summary }) {
  const t = useWords(words)
  const format = useFormat()
  const { states, severities } = of.findings
  const today = of.days.at(-1)?.checks.block ?? 0
  return (
    <>
      <div className="grid-figures">
        <Go className="card figure-link" to="findings">
          <Figures label={t('worst')} value={format.number(states.open)} note={t('worstNote', severities)} />
        </Go>
        <ForMe />
        <Go className="card figure-link" to="findings" search={{ state: 'requested' }}>
          <Figures label={t('requested')} value={format.number(states.requested)} note={t('requestedNote')} />
        </Go>
        <Go className="card figure-link" to="findings" search={{ state: 'exempted' }}>
          <Figures label={t('exempted')} value={format.number(states.exempted)} note={t('exemptedNote')} />
        </Go>
        <Go className="card figure-link" to="findings" search={{ state: 'fixed' }}>
          <Figures label={t('fixed')} value={format.number(states.fixed)} note={t('fixedNote')} />
        </Go>
      </div>
      <Trends of={of} today={today} />
      <TopRules of={of} />
    </>
  )
}

/** The exemptions that this person may decide about. */
function ForMe() {
  const t = useWords(words)
  const format = useFormat()
  const canDecide = useCan('compliance:write')
  const query = { waitsFor: 'me', limit: 1 } as const
  const list = useRead(['exemptions', 'mine'], (api) => api.GET('/compliance/exemptions', { params: { query } }), {
    enabled: canDecide,
  })
  if (!canDecide) return null
  if (list.error !== null) return <Refused error={list.error} onRetry={() => void list.refetch()} />
  const total = list.data?.pagination.total
  return (
    <Go className="card figure-link" to="exemptions" search={{ show: 'mine' }}>
      <Figures label={t('waiting')} value={total === undefined ? '–' : format.number(total)} note={t('toDecide')} />
    </Go>
  )
}

function Trends({ of, today }: { of: Summary; today: number }) {
  const t = useWords(words)
  const format = useFormat()
  const go = useGo()
  const checksOf = (day: string, text: string, filter: Readonly<Record<string, string>>) => (
    <Go to="checks" search={{ ...filter, from: day, to: day }}>
      {text}
    </Go>
  )
  const checks = of.days.map(({ day, checks: values }) => ({
    values,
    label: format.day(day),
    link: checksOf(day, format.day(day), {}),
    linkTo: (result: string, text: string) => checksOf(day, text, { result }),
  }))
  const severities = of.days.map(({ day, severities: values }) => ({
    values,
    label: format.day(day),
    link: checksOf(day, format.day(day), { severity: 'any' }),
    linkTo: (severity: string, text: string) => checksOf(day, text, { severity }),
  }))
  const open = (filter: Readonly<Record<string, string>>) => (index: number) => {
    const day = of.days[index]?.day ?? ''
    go('checks', { ...filter, from: day, to: day })
  }
  return (
    <div className="grid-wide">
      <section className="card stack-small">
        <Bars
          title={t('perDay')}
          series={[
            { id: 'block', label: t('blocked'), fill: 'block' },
            { id: 'warn', label: t('warned'), fill: 'warn' },
            { id: 'pass', label: t('passed'), fill: 'pass' },
          ]}
          points={checks}
          onOpen={open({})}
        />
        <Go to="checks" search={{ result: 'block', from: of.days.at(-1)?.day ?? '' }}>
          {t('blockedToday', { count: today })}
        </Go>
      </section>
      <section className="card">
        <Bars
          title={t('violationsPerDay')}
          series={[
            { id: 'critical', label: t('critical'), fill: 'critical' },
            { id: 'error', label: t('error'), fill: 'block' },
            { id: 'warning', label: t('warning'), fill: 'warn' },
          ]}
          points={severities}
          onOpen={open({ severity: 'any' })}
        />
      </section>
    </div>
  )
}

function TopRules({ of }: { of: Summary }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  return (
    <section className="stack-small">
      <h2>{t('topRules')}</h2>
      <DataTable
        rows={of.rules.slice(0, 8)}
        caption={t('topRules')}
        rowKey={({ ruleId }) => ruleId}
        empty={<Empty title={t('nothing')} />}
        columns={[
          {
            id: 'rule',
            head: c('rule'),
            primary: true,
            cell: ({ ruleId, ruleName }) => <Go to={`rules/${ruleId}`}>{ruleName}</Go>,
          },
          {
            id: 'checks',
            head: t('checks'),
            end: true,
            cell: ({ ruleId, checks }) => (
              <Go to="checks" search={{ violated: ruleId, from: of.days[0]?.day ?? '' }}>
                {format.number(checks)}
              </Go>
            ),
          },
        ]}
      />
    </section>
  )
}
