import { useRead } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { Page } from '../../data/page.js'
import { PickPipeline } from '../../data/pick.js'
import { optionsOf } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Prose } from '../../ui/basics.js'
import { type Filter, FilterBar } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { uiWords } from '../../ui/words-ui.js'
import { lastDays, PERIODS, type Period, useReportLabel } from './data.js'
import { DeploymentsTab } from './deployments.js'
import { DoraTab, type TrendBy, useDora } from './dora.js'
import { EXECUTION_STATES, ExecutionsTab } from './executions.js'
import { IncidentsTab } from './incidents.js'
import { SourcesTab } from './sources.js'
import { words } from './words.js'

const STATE = {
  tab: oneOf(['dora', 'deployments', 'executions', 'incidents', 'sources'], 'dora'),
  days: oneOf(PERIODS, '30'),
  environment: text(),
  pipeline: text(),
  status: oneOf(EXECUTION_STATES, ''),
  by: oneOf(['day', 'week', 'month'], 'week'),
  page: pageNumber(),
}

export default function Reports() {
  const t = useWords(words)
  const { features } = useSession()
  const [state, set] = useUrlState(STATE)
  const asked = { days: (state.days || '30') as Period, environment: state.environment, pipelineId: state.pipeline }
  const list = { asked, page: state.page, onPage: (page: number) => set({ page }) }
  const isBought = features.has('advanced_reporting')
  const bought = [
    {
      id: 'dora',
      label: t('dora'),
      content: () => <DoraTab asked={asked} by={(state.by || 'week') as TrendBy} onBy={(by) => set({ by })} />,
    },
    { id: 'deployments', label: t('deployments'), content: () => <DeploymentsTab {...list} /> },
    { id: 'incidents', label: t('incidents'), content: () => <IncidentsTab {...list} /> },
  ]
  const always = [
    {
      id: 'executions',
      label: t('executions'),
      content: () => <ExecutionsTab {...list} status={state.status} />,
    },
    { id: 'sources', label: t('ingest'), content: () => <SourcesTab /> },
  ]
  const tabs = isBought ? [...bought, ...always] : always
  const current = tabs.some(({ id }) => id === state.tab) ? state.tab : 'executions'
  return (
    <Page title={t('title')} question={t('question')}>
      {!isBought && <Locked />}
      {current !== 'sources' && <Where state={state} tab={current} set={set} />}
      <Tabs label={t('title')} value={current} onChange={(tab) => set({ tab: tab as 'dora', page: 1 })} tabs={tabs} />
    </Page>
  )
}

/** Some reports are in every plan. For the others, this says what unlocks them. */
function Locked() {
  const t = useWords(words)
  return (
    <Message
      tone="warning"
      title={t('featureLocked')}
      actions={
        <Go to="billing" search={{ tab: 'addons' }}>
          {t('toBilling')}
        </Go>
      }
    >
      <Prose text={t('featureLockedNext')} />
    </Message>
  )
}

interface WhereProps {
  state: Readonly<{ days: string; environment: string; pipeline: string; status: string }>
  tab: string
  set: (patch: { days?: Period; environment?: string; pipeline?: string; status?: '' }) => void
}

function Where({ state, tab, set }: WhereProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const u = useWords(uiWords)
  const label = useReportLabel()
  const days = (state.days || '30') as Period
  const isAnywhere = tab === 'dora' && state.environment === ''
  // The figures of all environments name them, and are shown anyway.
  const figures = useDora({ days, environment: '', pipelineId: state.pipeline }, isAnywhere)
  const query = lastDays(days)
  const listed = useRead(
    ['reports', 'environments', query],
    (api) => api.GET('/reports/execution/environments', { params: { query } }),
    { keep: true, aside: true, enabled: tab !== 'executions' && !isAnywhere && figures.data === undefined },
  )
  const environments = figures.data?.dora.environments ?? listed.data?.environments ?? []
  const names = environments.map(({ environment }) => [environment, environment] as const)
  const byTab: readonly Filter[] =
    tab === 'executions'
      ? [{ name: 'status', label: c('status'), value: state.status, options: optionsOf(EXECUTION_STATES, label) }]
      : [
          {
            name: 'environment',
            label: t('environment'),
            value: state.environment,
            options: names,
            ...(tab === 'dora' ? { all: t('headline') } : {}),
          },
        ]
  return (
    <FilterBar
      onChange={(name, value) => set({ [name]: name === 'days' && value === '' ? '30' : value })}
      filters={[
        {
          name: 'days',
          label: t('days'),
          value: state.days === '30' ? '' : state.days,
          all: t('lastDays', { count: 30 }),
          options: PERIODS.filter((each) => each !== '30').map(
            (each) => [each, t('lastDays', { count: Number(each) })] as const,
          ),
        },
        ...byTab,
      ]}
    >
      <PickPipeline
        label={t('pipeline')}
        none={u('all')}
        value={state.pipeline}
        onChange={(pipeline) => set({ pipeline })}
      />
    </FilterBar>
  )
}
