import { Upload } from 'lucide-react'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Blocked } from '../../data/blocked.js'
import { DeletedRows } from '../../data/deleted.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Page } from '../../data/page.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan, useMayChange } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, Prose, When } from '../../ui/basics.js'
import { FilterBar } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import type { Column } from '../../ui/table.js'
import { useLabel, useWords } from '../../ui/words.js'
import { UploadDialog } from './upload.js'
import { words } from './words.js'

type Plugin = components['schemas']['Plugin']

const LIFECYCLES = ['experimental', 'production', 'deprecated'] as const
const BUILDS = ['none', 'queued', 'building', 'ready', 'failed'] as const
const STATE = {
  tab: oneOf(['live', 'deleted'], 'live'),
  q: text(),
  lifecycle: oneOf(LIFECYCLES, ''),
  build: oneOf(BUILDS, ''),
  sort: oneOf(['name', 'version', 'category', 'updatedAt', 'createdAt'], 'name'),
  order: oneOf(['asc', 'desc'], 'asc'),
  page: pageNumber(),
}

export default function Plugins() {
  const t = useWords(words)
  const canWrite = useCan('plugins:write')
  const [state, set] = useUrlState(STATE)
  const [isUploading, setUploading] = useState(false)
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        canWrite && (
          <Button kind="main" icon={<Upload size={16} aria-hidden />} onClick={() => setUploading(true)}>
            {t('upload')}
          </Button>
        )
      }
    >
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'live' })}
        tabs={[
          { id: 'live', label: t('live'), content: () => <Live /> },
          { id: 'deleted', label: t('deleted'), content: () => <Deleted /> },
        ]}
      />
      {isUploading && <UploadDialog onClose={() => setUploading(false)} />}
    </Page>
  )
}

function Live() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({ q: state.q, lifecycle: state.lifecycle, buildStatus: state.build })
  const query = {
    ...filters,
    isActive: 'all',
    sortBy: state.sort === '' ? 'name' : state.sort,
    sortOrder: state.order === '' ? 'asc' : state.order,
    ...pageOf(state.page),
  } as const
  const list = useRead(['plugins', query], (api, signal) => api.GET('/plugins', { params: { query }, signal }), {
    keep: true,
  })
  const usage = useRead(['plugins', 'usage'], (api) => api.GET('/plugins/plugin-usage'), { aside: true })
  const counts = usage.data?.counts as Readonly<Record<string, number>> | undefined
  const columns: readonly Column<Plugin>[] = [
    {
      id: 'name',
      head: c('name'),
      primary: true,
      sort: 'name',
      cell: ({ id, name, description }) => (
        <>
          <Go to={`plugins/${id}`}>{name}</Go>
          {description !== null && <span className="clip small muted">{description}</span>}
        </>
      ),
    },
    {
      id: 'version',
      head: c('version'),
      sort: 'version',
      cell: ({ version, isDefault }) => (
        <span className="nowrap">
          {version} {isDefault && <Badge>{t('isDefault')}</Badge>}
        </span>
      ),
    },
    { id: 'category', head: t('category'), sort: 'category', cell: ({ category }) => category },
    { id: 'lifecycle', head: t('lifecycle'), cell: ({ lifecycle }) => <Mark value={lifecycle} /> },
    { id: 'build', head: t('build'), cell: ({ buildStatus }) => <Mark value={buildStatus} /> },
    {
      id: 'used',
      head: t('usedBy'),
      end: true,
      cell: ({ name }) => (
        <Go to="pipelines" search={{ plugin: name }}>
          {counts === undefined ? '–' : String(counts[name] ?? 0)}
        </Go>
      ),
    },
    { id: 'at', head: c('updated'), sort: 'updatedAt', cell: ({ updatedAt }) => <When at={updatedAt} relative /> },
  ]
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <FilterBar
        text={{ label: t('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'lifecycle', label: t('lifecycle'), value: state.lifecycle, options: optionsOf(LIFECYCLES, label) },
          { name: 'build', label: t('build'), value: state.build, options: optionsOf(BUILDS, label) },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      />
      <Rows
        of={list}
        rows={({ plugins }) => plugins}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        sort={{ by: query.sortBy, order: query.sortOrder }}
        onSort={({ by, order }) => set({ sort: by as 'name', order })}
        onClear={isFiltered ? () => set({ q: '', lifecycle: '', build: '' }) : undefined}
        empty={
          <Empty title={t('none')}>
            <Prose text={t('noneNext')} />
          </Empty>
        }
      />
    </>
  )
}

function Deleted() {
  const t = useWords(words)
  const canWrite = useCan('plugins:write')
  const mayChange = useMayChange()
  const [state, set] = useUrlState(STATE)
  const query = pageOf(state.page)
  const list = useRead(['plugins', 'deleted', query], (api) => api.GET('/plugins/deleted', { params: { query } }), {
    keep: true,
  })
  const restore = useWrite((api, id: string) => api.POST('/plugins/{id}/restore', { params: { path: { id } } }), {
    stale: ['plugins'],
    done: t('restored'),
  })
  const purge = useWrite((api, id: string) => api.POST('/plugins/{id}/purge', { params: { path: { id } } }), {
    stale: ['plugins'],
    done: t('purged'),
  })
  return (
    <DeletedRows
      of={list}
      rows={({ plugins }) => plugins}
      name={({ name, version }) => `${name} ${version}`}
      none={t('noneDeleted')}
      mayChange={(row) => canWrite && mayChange(row)}
      restore={restore}
      purge={purge}
      problem={<Blocked error={restore.error} />}
      page={state.page}
      onPage={(page) => set({ page })}
    />
  )
}
