import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { DeletedRows } from '../../data/deleted.js'
import { Go, GoHere } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, Facts, Prose, Tags, When } from '../../ui/basics.js'
import { Figures } from '../../ui/charts.js'
import { Dialog } from '../../ui/dialog.js'
import { FilterBar } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { PolicyForm } from './form.js'
import { words } from './words.js'

type Policy = components['schemas']['Policy']
const STATE = { tab: oneOf(['live', 'deleted'], 'live'), q: text(), page: pageNumber(), sheet: text() }

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
            cell: ({ isActive, isTemplate, isPublished }) =>
              isTemplate || isPublished ? (
                <Badge tone="accent">{t('template')}</Badge>
              ) : (
                <Badge tone={isActive ? 'pass' : 'plain'}>{t(isActive ? 'active' : 'inactive')}</Badge>
              ),
          },
          { id: 'tags', head: c('tags'), cell: ({ tags }) => <Tags of={tags.slice(0, 3)} /> },
          { id: 'at', head: c('updated'), cell: ({ updatedAt }) => <When at={updatedAt} relative /> },
        ]}
      />
      {open !== undefined && <PolicySheet of={open} onClose={() => set({ sheet: '' })} />}
    </>
  )
}

function PolicySheet({ of, onClose }: { of: Policy; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const canWrite = useCan('compliance:write')
  const isOwn = of.orgId === organization.id
  const [isEditing, setEditing] = useState(false)
  const params = { path: { id: of.id } }
  const clone = useWrite((api, _: null) => api.POST('/compliance/policies/{id}/clone', { params, body: {} }), {
    done: t('cloned'),
    onDone: onClose,
  })
  const remove = useWrite((api, _: null) => api.DELETE('/compliance/policies/{id}', { params }), {
    done: t('removed'),
    onDone: onClose,
  })
  return (
    <Dialog kind="sheet" title={of.name} subtitle={`${t('version')} ${of.version}`} onClose={onClose}>
      {of.description !== null && (
        <p>
          <Prose text={of.description} />
        </p>
      )}
      <Facts
        of={[
          [c('tags'), <Tags key="t" of={of.tags} />],
          [c('updated'), <When key="u" at={of.updatedAt} />],
        ]}
      />
      <section className="stack-small">
        <h3>{t('members')}</h3>
        {of.rules.length === 0 && <p className="muted">{t('noMembers')}</p>}
        <ul>
          {of.rules.map(({ id, name }) => (
            <li key={id}>
              <Go to={`rules/${id}`}>{name}</Go>
            </li>
          ))}
        </ul>
      </section>
      {isOwn && <Diff id={of.id} />}
      <Refused error={clone.error ?? remove.error} />
      {canWrite && (
        <div className="row">
          {!isOwn && (
            <Button kind="main" busy={clone.isPending} onClick={() => clone.mutate(null)}>
              {t('clone')}
            </Button>
          )}
          {isOwn && (
            <Button kind="main" onClick={() => setEditing(true)}>
              {c('edit')}
            </Button>
          )}
          {isOwn && (
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate(null)}>
              {t('remove')}
            </Button>
          )}
        </div>
      )}
      {isEditing && <PolicyForm of={of} onClose={() => setEditing(false)} />}
    </Dialog>
  )
}

function Diff({ id }: { id: string }) {
  const t = useWords(words)
  const format = useFormat()
  const diff = useRead(['policies', 'diff', id], (api) =>
    api.GET('/compliance/policies/{id}/diff', { params: { path: { id } } }),
  )
  return (
    <section className="stack-small">
      <h3>{t('diff')}</h3>
      <Loaded of={diff} lines={3}>
        {(of) => (
          <>
            <div className="grid">
              <Figures label={t('newlyFailing')} value={format.number(of.newlyFailing.total)} />
              <Figures label={t('newlyPassing')} value={format.number(of.newlyPassing.total)} />
              <Figures label={t('stillFailing')} value={format.number(of.stillFailing)} />
              <Figures label={t('stillPassing')} value={format.number(of.stillPassing)} />
            </div>
            <p className="muted">{t('total', { count: of.total })}</p>
          </>
        )}
      </Loaded>
    </section>
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
