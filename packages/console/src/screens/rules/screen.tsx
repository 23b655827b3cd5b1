import { Plus } from 'lucide-react'
import { useRead, useWrite } from '../../data/api.js'
import { dayOf, endOfPastDay } from '../../data/day.js'
import { DeletedRows } from '../../data/deleted.js'
import { Go } from '../../data/go.js'
import { Mark, ModeMark } from '../../data/marks.js'
import { Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { day, oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, Tags, When } from '../../ui/basics.js'
import { FilterBar, TextField } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Analysis } from './analysis.js'
import { useCoverageColumns } from './coverage.js'
import { words } from './words.js'

const SEVERITIES = ['critical', 'error', 'warning'] as const
const TARGETS = ['plugin', 'pipeline'] as const
const STATE = {
  tab: oneOf(['own', 'in-force', 'analysis', 'deleted', 'templates'], 'in-force'),
  q: text(),
  target: oneOf(TARGETS, ''),
  severity: oneOf(SEVERITIES, ''),
  active: oneOf(['true', 'false', 'all'], 'all'),
  asOf: day(),
  sort: oneOf(['name', 'severity', 'priority', 'updatedAt', 'createdAt'], 'name'),
  order: oneOf(['asc', 'desc'], 'asc'),
  page: pageNumber(),
}

export default function Rules() {
  const t = useWords(words)
  const canWrite = useCan('compliance:write')
  const [state, set] = useUrlState(STATE)
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        canWrite && (
          <Go className="button main-link" to="rules/new">
            <Plus size={16} aria-hidden />
            {t('newRule')}
          </Go>
        )
      }
    >
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'own' })}
        tabs={[
          { id: 'in-force', label: t('inForce'), content: () => <InForce /> },
          { id: 'own', label: t('own'), content: () => <Own /> },
          { id: 'analysis', label: t('analysis'), content: () => <Analysis /> },
          { id: 'templates', label: t('templates'), content: () => <Templates /> },
          { id: 'deleted', label: t('deleted'), content: () => <Deleted /> },
        ]}
      />
    </Page>
  )
}

/** Every rule that applies to the organization, now or on a day in the past. */
function InForce() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const query = sent({ target: state.target, asOf: endOfPastDay(state.asOf, Date.now()) })
  const rules = useRead(
    ['enforced', query],
    (api) => api.GET('/compliance/subscriptions/enforced', { params: { query } }),
    { keep: true },
  )
  const coverage = useCoverageColumns<{ readonly id: string }>(query.asOf === undefined)
  const wanted = state.q.toLowerCase()
  const fits = (name: string, severity: string) =>
    name.toLowerCase().includes(wanted) && (state.severity === '' || severity === state.severity)
  const isFiltered = state.q !== '' || state.severity !== '' || state.target !== ''
  return (
    <>
      <FilterBar
        text={{ label: c('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'target', label: c('target'), value: state.target, options: optionsOf(TARGETS, label) },
          { name: 'severity', label: c('severity'), value: state.severity, options: optionsOf(SEVERITIES, label) },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      >
        <TextField
          label={t('asOf')}
          type="date"
          max={dayOf(Date.now())}
          value={state.asOf}
          onChange={(event) => set({ asOf: event.target.value })}
        />
      </FilterBar>
      <Rows
        of={rules}
        rows={(data) => data.rules.filter(({ name, severity }) => fits(name, severity))}
        caption={t('inForce')}
        rowKey={({ id, source }) => `${id} ${source}`}
        onClear={isFiltered ? () => set({ q: '', severity: '', target: '' }) : undefined}
        empty={<Empty title={t('noneInForce')}>{t('noneNext')}</Empty>}
        columns={[
          { id: 'name', head: c('name'), primary: true, cell: ({ id, name }) => <Go to={`rules/${id}`}>{name}</Go> },
          { id: 'severity', head: c('severity'), cell: ({ severity }) => <Mark value={severity} /> },
          { id: 'mode', head: c('mode'), cell: ({ mode }) => <ModeMark mode={mode} /> },
          { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
          {
            id: 'source',
            head: c('source'),
            cell: ({ source, pinned, version }) => (
              <span className="row">
                {label(source)} {pinned && <Badge>{`${t('pinned')} v${version}`}</Badge>}
              </span>
            ),
          },
          ...coverage,
          { id: 'tags', head: c('tags'), cell: ({ tags }) => <Tags of={tags.slice(0, 3)} /> },
        ]}
      />
    </>
  )
}

function Own() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({ name: state.q, target: state.target, severity: state.severity, isActive: state.active })
  const query = {
    ...filters,
    sortBy: state.sort === '' ? 'name' : state.sort,
    sortOrder: state.order === '' ? 'asc' : state.order,
    ...pageOf(state.page),
  } as const
  const rules = useRead(
    ['rules', query],
    (api, signal) => api.GET('/compliance/rules', { params: { query }, signal }),
    { keep: true },
  )
  const coverage = useCoverageColumns<{ readonly id: string }>()
  const isFiltered = state.q !== '' || state.severity !== '' || state.target !== '' || state.active !== 'all'
  return (
    <>
      <FilterBar
        text={{ label: c('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'target', label: c('target'), value: state.target, options: optionsOf(TARGETS, label) },
          { name: 'severity', label: c('severity'), value: state.severity, options: optionsOf(SEVERITIES, label) },
          {
            name: 'active',
            label: t('activeOnly'),
            value: state.active === 'all' ? '' : state.active,
            options: [
              ['true', t('active')],
              ['false', t('inactive')],
            ],
          },
        ]}
        onChange={(name, value) => set({ [name]: name === 'active' && value === '' ? 'all' : value })}
      />
      <Rows
        of={rules}
        rows={(data) => data.rules}
        total={({ pagination }) => pagination.total}
        caption={t('own')}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        sort={{ by: query.sortBy, order: query.sortOrder }}
        onSort={({ by, order }) => set({ sort: by as 'name', order })}
        onClear={isFiltered ? () => set({ q: '', severity: '', target: '', active: 'all' }) : undefined}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            sort: 'name',
            cell: ({ id, name }) => <Go to={`rules/${id}`}>{name}</Go>,
          },
          { id: 'severity', head: c('severity'), sort: 'severity', cell: ({ severity }) => <Mark value={severity} /> },
          {
            id: 'mode',
            head: c('mode'),
            cell: (rule) => (rule.isActive ? <ModeMark mode={rule.mode} /> : <Badge>{t('inactive')}</Badge>),
          },
          { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
          ...coverage,
          { id: 'tags', head: c('tags'), cell: ({ tags }) => <Tags of={tags.slice(0, 3)} /> },
          {
            id: 'at',
            head: c('updated'),
            sort: 'updatedAt',
            cell: ({ updatedAt }) => <When at={updatedAt} relative />,
          },
        ]}
      />
    </>
  )
}

function Templates() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const canWrite = useCan('compliance:write')
  const templates = useRead(['templates'], (api) => api.GET('/compliance/templates'))
  const apply = useWrite(
    (api, templateId: string) => api.POST('/compliance/templates/apply', { body: { templateId } }),
    {
      done: ({ created }) => t('applied', { count: created }),
    },
  )
  return (
    <>
      <Refused error={apply.error} />
      <Rows
        of={templates}
        rows={(data) => data.templates}
        caption={t('templates')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('templatesNone')} />}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ name, description }) => (
              <>
                <div className="strong">{name}</div>
                <div className="small muted">{description}</div>
              </>
            ),
          },
          { id: 'severity', head: c('severity'), cell: ({ severity }) => <Mark value={severity} /> },
          { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
          { id: 'category', head: t('category'), cell: ({ category }) => category },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id, name }) =>
              canWrite && (
                <Button
                  aria-label={`${t('useTemplate')}: ${name}`}
                  busy={apply.isPending && apply.variables === id}
                  onClick={() => apply.mutate(id)}
                >
                  {t('useTemplate')}
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}

function Deleted() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const mayChange = useCan('compliance:write')
  const [state, set] = useUrlState(STATE)
  const query = pageOf(state.page)
  const list = useRead(
    ['rules', 'deleted', query],
    (api) => api.GET('/compliance/rules/deleted', { params: { query } }),
    {
      keep: true,
    },
  )
  const restore = useWrite(
    (api, id: string) => api.POST('/compliance/rules/{id}/restore', { params: { path: { id } } }),
    {
      done: t('restored'),
    },
  )
  const purge = useWrite((api, id: string) => api.POST('/compliance/rules/{id}/purge', { params: { path: { id } } }), {
    done: t('purged'),
  })
  return (
    <DeletedRows
      of={list}
      rows={({ rules }) => rules}
      name={({ name }) => name}
      none={t('noneDeleted')}
      mayChange={mayChange}
      restore={restore}
      purge={purge}
      columns={[{ id: 'severity', head: c('severity'), cell: ({ severity }) => <Mark value={severity} /> }]}
      page={state.page}
      onPage={(page) => set({ page })}
    />
  )
}
