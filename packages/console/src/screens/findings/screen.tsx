import { Download } from 'lucide-react'
import { useState } from 'react'
import { useOrganization, useRead } from '../../data/api.js'
import { Chips, named } from '../../data/chips.js'
import { fileAddress } from '../../data/client.js'
import { startDownload } from '../../data/download.js'
import { GoHere } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { useNames } from '../../data/names.js'
import { Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent, useOpenRow } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { FilterBar, Segments } from '../../ui/field.js'
import { ActionMenu } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import type { Column } from '../../ui/table.js'
import { useLabel, useWords } from '../../ui/words.js'
import { AskMany } from './ask-many.js'
import type { Finding } from './finding.js'
import { FindingView } from './finding-view.js'
import { Groups } from './groups.js'
import { words } from './words.js'

const STATES = ['open', 'requested', 'exempted', 'fixed'] as const
const SEVERITIES = ['critical', 'error', 'warning'] as const
const TARGETS = ['plugin', 'pipeline'] as const
const GROUPS = ['rule', 'entity', 'owner', 'control'] as const
const STATE = {
  q: text(),
  state: oneOf([...STATES, 'all'], 'open'),
  severity: oneOf(SEVERITIES, ''),
  target: oneOf(TARGETS, ''),
  rule: text(),
  entity: text(),
  owner: text(),
  control: text(),
  group: oneOf(['none', ...GROUPS], 'none'),
  sort: oneOf(['severity', 'ruleName', 'entityName', 'createdAt', 'updatedAt'], 'severity'),
  order: oneOf(['asc', 'desc'], 'desc'),
  page: pageNumber(),
  sheet: text(),
}

const NO_FILTER = { q: '', severity: '', target: '', rule: '', entity: '', owner: '', control: '' } as const

export default function Findings() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const canAsk = useCan('compliance:read')
  const [state, set] = useUrlState(STATE)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const filters = sent({
    q: state.q,
    state: state.state === 'all' ? '' : state.state,
    severity: state.severity,
    target: state.target,
    ruleId: state.rule,
    entityId: state.entity,
    ownerId: state.owner,
    control: state.control,
  })
  const query = {
    ...filters,
    sortBy: state.sort === '' ? 'severity' : state.sort,
    sortOrder: state.order === '' ? 'desc' : state.order,
    ...pageOf(state.page),
  } as const
  const list = useRead(
    ['findings', query],
    (api, signal) => api.GET('/compliance/findings', { params: { query }, signal }),
    {
      keep: true,
      enabled: state.group === 'none',
    },
  )
  const columns = useColumns()
  const owner = useNames(state.owner === '' || state.owner === 'unowned' ? [] : [state.owner])
  const [known, setKnown] = useState<ReadonlyMap<string, Finding>>(new Map())
  const rows = list.data?.findings ?? []
  const listed = rows.find(({ id }) => id === state.sheet)
  // It is read beside the list: a link may lead to one that is on another page, or that the filters hide.
  const opened = useRead(
    ['findings', 'one', state.sheet],
    (api, signal) => api.GET('/compliance/findings/{id}', { params: { path: { id: state.sheet } }, signal }),
    { enabled: state.sheet !== '' },
  )
  const open = useOpenRow(state.sheet, listed ?? opened.data?.finding)
  // A selection spans several pages, so the selected records are stored.
  const choose = (next: ReadonlySet<string>) => {
    const all = new Map([...known, ...rows.map((row) => [row.id, row] as const)])
    setKnown(new Map([...all].filter(([id]) => next.has(id))))
    select(next)
  }
  const isFiltered = Object.keys(filters).some((name) => name !== 'state')
  return (
    <Page title={t('title')} question={t('question')} actions={<Export filters={filters} />}>
      <Segments
        label={c('state')}
        value={state.state}
        options={optionsOf([...STATES, 'all'], label)}
        onChange={(value) => set({ state: value as 'open' })}
      />
      <FilterBar
        text={{ label: t('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'severity', label: c('severity'), value: state.severity, options: optionsOf(SEVERITIES, label) },
          { name: 'target', label: c('target'), value: state.target, options: optionsOf(TARGETS, label) },
          {
            name: 'group',
            label: t('group'),
            value: state.group === 'none' ? '' : state.group,
            options: [
              ['rule', t('byRule')],
              ['entity', t('byEntity')],
              ['owner', t('byOwner')],
              ['control', t('byControl')],
            ],
          },
        ]}
        onChange={(name, value) => set({ [name]: name === 'group' && value === '' ? 'none' : value })}
      />
      <Chips
        of={[
          { name: t('byRule'), value: named(state.rule, rows[0]?.ruleName), onDrop: () => set({ rule: '' }) },
          { name: t('byEntity'), value: named(state.entity, rows[0]?.entityName), onDrop: () => set({ entity: '' }) },
          {
            name: t('byOwner'),
            value: state.owner === 'unowned' ? t('unowned') : named(state.owner, owner(state.owner)),
            onDrop: () => set({ owner: '' }),
          },
          { name: t('byControl'), value: state.control, onDrop: () => set({ control: '' }) },
        ]}
      />
      {state.group === 'none' ? (
        <Rows
          of={list}
          rows={({ findings }) => findings}
          total={({ pagination }) => pagination.total}
          caption={t('title')}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ ruleName, entityName }) => `${ruleName}, ${entityName}`}
          page={state.page}
          onPage={(page) => set({ page })}
          sort={{ by: query.sortBy, order: query.sortOrder }}
          onSort={({ by, order }) => set({ sort: by as 'severity', order })}
          onClear={isFiltered ? () => set(NO_FILTER) : undefined}
          empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
          {...(canAsk ? { selection: { selected, onChange: choose } } : {})}
        />
      ) : (
        <Groups filters={filters} by={state.group === '' ? 'rule' : state.group} />
      )}
      {known.size > 0 && (
        <AskMany
          of={[...known.values()].filter((each) => each.state === 'open')}
          onDone={() => {
            setKnown(new Map())
            select(new Set())
          }}
        />
      )}
      <Refused error={state.sheet === '' || open !== undefined ? null : opened.error} />
      {open !== undefined && (
        <Dialog
          kind="sheet"
          title={open.entityName}
          subtitle={<Mark value={open.state} />}
          onClose={() => set({ sheet: '' })}
        >
          <FindingView of={open} opened={opened} />
        </Dialog>
      )}
    </Page>
  )
}

function useColumns(): readonly Column<Finding>[] {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  return [
    {
      id: 'rule',
      head: c('rule'),
      primary: true,
      sort: 'ruleName',
      cell: ({ id, ruleName }) => <GoHere patch={{ sheet: id }}>{ruleName}</GoHere>,
    },
    {
      id: 'entity',
      head: c('entity'),
      sort: 'entityName',
      cell: ({ entityName }) => <span className="clip">{entityName}</span>,
    },
    { id: 'severity', head: c('severity'), sort: 'severity', cell: ({ severity }) => <Mark value={severity} /> },
    { id: 'state', head: c('state'), cell: ({ state }) => <Mark value={state} /> },
    { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
    { id: 'since', head: t('since'), sort: 'createdAt', cell: ({ since }) => <When at={since} relative /> },
    { id: 'last', head: t('lastSeen'), sort: 'updatedAt', cell: ({ lastSeenAt }) => <When at={lastSeenAt} relative /> },
  ]
}

function Export({ filters }: { filters: Readonly<Record<string, string>> }) {
  const t = useWords(words)
  const organization = useOrganization()
  return (
    <ActionMenu
      label={t('export')}
      face={
        <>
          <Download size={16} aria-hidden />
          {t('export')}
        </>
      }
      choices={(['csv', 'sarif', 'jsonl'] as const).map((format) => ({
        id: format,
        label: t(format),
        onChoose: () => startDownload(fileAddress(organization, '/compliance/findings/export', { ...filters, format })),
      }))}
    />
  )
}
