import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { DeletedRows } from '../../data/deleted.js'
import { GoHere } from '../../data/go.js'
import { Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Button, Tags, When } from '../../ui/basics.js'
import { FilterBar } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { PolicyForm } from './form.js'
import { PolicySheet, StateOf } from './sheet.js'
import { STATE } from './state.js'
import { words } from './words.js'

export default function Policies() {
  const t = useWords(words)
  const canWrite = useCan('compliance:write')
  const [state, set] = useUrlState(STATE)
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        canWrite && (
          <Button kind="main" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            {t('newPolicy')}
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
      {isCreating && <PolicyForm of={null} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function Live() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({ name: state.q })
  const query = { ...filters, isActive: 'all', sortBy: 'name', sortOrder: 'asc', ...pageOf(state.page) } as const
  const list = useRead(
    ['policies', query],
    (api, signal) => api.GET('/compliance/policies', { params: { query }, signal }),
    { keep: true },
  )
  const listed = list.data?.policies.find(({ id }) => id === state.sheet)
  const linked = useRead(
    ['policies', 'one', state.sheet],
    (api) => api.GET('/compliance/policies/{id}', { params: { path: { id: state.sheet } } }),
    { enabled: state.sheet !== '' && listed === undefined && list.data !== undefined },
  )
  const open = listed ?? (state.sheet === '' ? undefined : linked.data?.policy)
  return (
    <>
      <FilterBar text={{ label: c('search'), value: state.q, onChange: (q) => set({ q }) }} />
      <Rows
        of={list}
        rows={({ policies }) => policies}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={state.q === '' ? undefined : () => set({ q: '' })}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ id, name }) => <GoHere patch={{ sheet: id }}>{name}</GoHere>,
          },
          { id: 'version', head: t('version'), cell: ({ version }) => version },
          { id: 'rules', head: t('count'), end: true, cell: ({ rules }) => String(rules.length) },
          {
            id: 'state',
            head: c('state'),
            cell: (policy) => <StateOf of={policy} />,
          },
          { id: 'tags', head: c('tags'), cell: ({ tags }) => <Tags of={tags.slice(0, 3)} /> },
          { id: 'at', head: c('updated'), cell: ({ updatedAt }) => <When at={updatedAt} relative /> },
        ]}
      />
      <Refused error={state.sheet === '' || listed !== undefined ? null : linked.error} />
      {open !== undefined && <PolicySheet key={open.id} of={open} />}
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
    ['policies', 'deleted', query],
    (api) => api.GET('/compliance/policies/deleted', { params: { query } }),
    {
      keep: true,
    },
  )
  const restore = useWrite(
    (api, id: string) => api.POST('/compliance/policies/{id}/restore', { params: { path: { id } } }),
    {
      stale: ['policies'],
      done: c('done'),
    },
  )
  const purge = useWrite(
    (api, id: string) => api.POST('/compliance/policies/{id}/purge', { params: { path: { id } } }),
    {
      stale: ['policies'],
      done: c('done'),
    },
  )
  return (
    <DeletedRows
      of={list}
      rows={({ policies }) => policies}
      name={({ name, version }) => `${name} ${version}`}
      none={t('noneDeleted')}
      mayChange={mayChange}
      restore={restore}
      purge={purge}
      page={state.page}
      onPage={(page) => set({ page })}
    />
  )
}
