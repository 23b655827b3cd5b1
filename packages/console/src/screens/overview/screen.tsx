import { useRead } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded, Page } from '../../data/page.js'
import { When } from '../../ui/basics.js'
import { Figures } from '../../ui/charts.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { DataTable } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

const DAYS = 30
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export default function Overview() {
  const t = useWords(words)
  const format = useFormat()
  const since = daysAgo(DAYS)
  const blocked = useRead(['checks', 'blocked', since], (api) =>
    api.GET('/compliance/audit', { params: { query: { result: 'block', dateFrom: since, limit: 8 } } }),
  )
  const waiting = useRead(['exemptions', 'waiting'], (api) =>
    api.GET('/compliance/exemptions', { params: { query: { status: 'pending', limit: 1 } } }),
  )
  const rules = useRead(['enforced'], (api) => api.GET('/compliance/subscriptions/enforced'))
  const number = (value: number | undefined) => (value === undefined ? '–' : format.number(value))
  return (
    <Page title={t('title')} question={t('question')}>
      <div className="grid">
        <Go className="card figure-link" to="checks" search={{ result: 'block', from: since }}>
          <Figures
            label={t('blocked')}
            value={number(blocked.data?.pagination.total)}
            note={t('lastDays', { count: DAYS })}
          />
        </Go>
        <Go className="card figure-link" to="exemptions" search={{ status: 'pending' }}>
          <Figures label={t('waiting')} value={number(waiting.data?.pagination.total)} note={t('toDecide')} />
        </Go>
        <Go className="card figure-link" to="rules">
          <Figures label={t('inForce')} value={number(rules.data?.total)} note={t('inForceNote')} />
        </Go>
      </div>
      <section className="stack-small">
        <div className="row-between">
          <h2>{t('latest')}</h2>
          <Go to="checks">{t('all')}</Go>
        </div>
        <Loaded of={blocked}>
          {({ entries }) => (
            <DataTable
              caption={t('latest')}
              rows={entries}
              rowKey={(row) => row.id}
              columns={[
                {
                  id: 'entity',
                  head: t('latest'),
                  primary: true,
                  cell: (row) => <Go to={`checks/${row.id}`}>{row.entityName ?? row.entityId ?? row.id}</Go>,
                },
                { id: 'result', head: t('blocked'), cell: (row) => <Mark value={row.result} /> },
                {
                  id: 'rule',
                  head: t('inForce'),
                  cell: (row) => <span className="clip">{row.violations.map((each) => each.ruleName).join(', ')}</span>,
                },
                { id: 'at', head: t('lastScan'), cell: (row) => <When at={row.createdAt} relative /> },
              ]}
              empty={<Empty title={t('nothing')}>{t('nothingNote')}</Empty>}
            />
          )}
        </Loaded>
      </section>
    </Page>
  )
}
