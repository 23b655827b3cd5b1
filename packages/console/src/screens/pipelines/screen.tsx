import { Plus } from 'lucide-react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Chips } from '../../data/chips.js'
import { DeletedRows } from '../../data/deleted.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Page } from '../../data/page.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan, useMayChange } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { catalogWords } from '../../data/words-catalog.js'
import { Badge, Tags, When } from '../../ui/basics.js'
import { FilterBar } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import type { Column } from '../../ui/table.js'
import { useLabel, useWords } from '../../ui/words.js'
import { DeletedTemplates, Templates } from './templates.js'
import { words } from './words.js'

type Pipeline = components['schemas']['PipelineList']

const LIFECYCLES = ['experimental', 'production', 'deprecated'] as const
const CRITICALITIES = ['critical', 'high', 'medium', 'low'] as const
const STATE = {
  tab: oneOf(['live', 'templates', 'deleted', 'deleted-templates'], 'live'),
  q: text(),
  lifecycle: oneOf(LIFECYCLES, ''),
  criticality: oneOf(CRITICALITIES, ''),
  plugin: text(),
  sort: oneOf(['pipelineName', 'project', 'updatedAt', 'createdAt', 'lifecycle', 'organization'], 'pipelineName'),
  order: oneOf(['asc', 'desc'], 'asc'),
  page: pageNumber(),
}

export default function Pipelines() {
  const t = useWords(words)
  const canWrite = useCan('pipelines:write')
  const [state, set] = useUrlState(STATE)
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        canWrite && (
          <Go className="button main-link" to="pipelines/new">
            <Plus size={16} aria-hidden />
            {t('write')}
          </Go>
        )
      }
    >
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'live' })}
        tabs={[
          { id: 'live', label: t('live'), content: () => <Live /> },
          { id: 'templates', label: t('templates'), content: () => <Templates /> },
          ...(canWrite
            ? [
                { id: 'deleted', label: t('deleted'), content: () => <Deleted /> },
                { id: 'deleted-templates', label: t('deletedTemplates'), content: () => <DeletedTemplates /> },
              ]
            : []),
        ]}
      />
    </Page>
  )
}

function Live() {
  const t = useWords(words)
  const w = useWords(catalogWords)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({ q: state.q, lifecycle: state.lifecycle, criticality: state.criticality, plugin: state.plugin })
  const query = {
    ...filters,
    sortBy: state.sort === '' ? 'pipelineName' : state.sort,
    sortOrder: state.order === '' ? 'asc' : state.order,
    isActive: 'all',
    ...pageOf(state.page),
  } as const
  const list = useRead(['pipelines', query], (api, signal) => api.GET('/pipelines', { params: { query }, signal }), {
    keep: true,
  })
  const columns: readonly Column<Pipeline>[] = [
    {
      id: 'name',
      head: c('name'),
      primary: true,
      sort: 'pipelineName',
      cell: ({ id, pipelineName, description }) => (
        <>
          <Go to={`pipelines/${id}`}>{pipelineName ?? id}</Go>
          {description !== undefined && description !== '' && <span className="clip small muted">{description}</span>}
        </>
      ),
    },
    { id: 'project', head: t('project'), sort: 'project', cell: ({ project }) => project },
    { id: 'organization', head: t('organization'), sort: 'organization', cell: ({ organization }) => organization },
    {
      id: 'lifecycle',
      head: t('lifecycle'),
      sort: 'lifecycle',
      cell: ({ lifecycle }) => <Mark value={lifecycle ?? '–'} />,
    },
    {
      id: 'criticality',
      head: w('criticality'),
      cell: ({ criticality, isActive }) => (
        <span className="row">
          {criticality == null ? <span className="muted">–</span> : label(criticality)}
          {isActive === false && <Badge>{t('inactive')}</Badge>}
        </span>
      ),
    },
    { id: 'tags', head: c('tags'), cell: ({ keywords }) => <Tags of={(keywords ?? []).slice(0, 3)} /> },
    {
      id: 'at',
      head: c('updated'),
      sort: 'updatedAt',
      cell: ({ updatedAt }) => <When at={updatedAt ?? null} relative />,
    },
  ]
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <FilterBar
        text={{ label: t('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'lifecycle', label: t('lifecycle'), value: state.lifecycle, options: optionsOf(LIFECYCLES, label) },
          {
            name: 'criticality',
            label: w('criticality'),
            value: state.criticality,
            options: optionsOf(CRITICALITIES, label),
          },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      />
      <Chips of={[{ name: label('plugin'), value: state.plugin, onDrop: () => set({ plugin: '' }) }]} />
      <Rows
        of={list}
        rows={({ pipelines }) => pipelines}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        sort={{ by: query.sortBy, order: query.sortOrder }}
        onSort={({ by, order }) => set({ sort: by as 'project', order })}
        onClear={isFiltered ? () => set({ q: '', lifecycle: '', criticality: '', plugin: '' }) : undefined}
        empty={
          <Empty
            title={t('none')}
            actions={
              <Go className="button" to="pipelines" search={{ tab: 'templates' }}>
                {t('templates')}
              </Go>
            }
          >
            {t('noneNext')}
          </Empty>
        }
      />
    </>
  )
}

function Deleted() {
  const t = useWords(words)
  const canWrite = useCan('pipelines:write')
  const mayChange = useMayChange()
  const [state, set] = useUrlState(STATE)
  const query = pageOf(state.page)
  const list = useRead(['pipelines', 'deleted', query], (api) => api.GET('/pipelines/deleted', { params: { query } }), {
    keep: true,
  })
  const restore = useWrite((api, id: string) => api.POST('/pipelines/{id}/restore', { params: { path: { id } } }), {
    stale: ['pipelines'],
    done: t('restored'),
  })
  const purge = useWrite((api, id: string) => api.POST('/pipelines/{id}/purge', { params: { path: { id } } }), {
    stale: ['pipelines'],
    done: t('purged'),
  })
  return (
    <DeletedRows
      of={list}
      rows={({ pipelines }) => pipelines}
      name={({ id, pipelineName }) => pipelineName ?? id}
      none={t('noneDeleted')}
      mayChange={(row) => canWrite && mayChange(row)}
      restore={restore}
      purge={purge}
      page={state.page}
      onPage={(page) => set({ page })}
    />
  )
}
