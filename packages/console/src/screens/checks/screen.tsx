import { Download } from 'lucide-react'
import { type components, useOrganization, useRead } from '../../data/api.js'
import { useCheckColumns } from '../../data/checks.js'
import { Chips, named } from '../../data/chips.js'
import { fileAddress } from '../../data/client.js'
import { startDownload } from '../../data/download.js'
import { GoHere } from '../../data/go.js'
import { Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent, useOpenRow } from '../../data/rows.js'
import { day, oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { FilterBar, TextField } from '../../ui/field.js'
import { ActionMenu } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import type { Column } from '../../ui/table.js'
import { useLabel, useWords } from '../../ui/words.js'
import { CheckView } from './check-view.js'
import { words } from './words.js'

type Check = components['schemas']['CheckEntry']

const TARGETS = ['plugin', 'pipeline'] as const
const RESULTS = ['pass', 'warn', 'block'] as const
const SEVERITIES = ['critical', 'error', 'warning', 'any'] as const
const ACTIONS = ['upload', 'create', 'update', 'deploy', 'restore', 'recheck', 'scan'] as const
const STATE = {
  q: text(),
  target: oneOf(TARGETS, ''),
  result: oneOf(RESULTS, ''),
  severity: oneOf(SEVERITIES, ''),
  action: oneOf(ACTIONS, ''),
  rule: text(),
  violated: text(),
  entity: text(),
  scan: text(),
  from: day(),
  to: day(),
  order: oneOf(['asc', 'desc'], 'desc'),
  page: pageNumber(),
  sheet: text(),
}
const NONE = {
  q: '',
  target: '',
  result: '',
  severity: '',
  action: '',
  rule: '',
  violated: '',
  entity: '',
  scan: '',
  from: '',
  to: '',
} as const

export default function Checks() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({
    entityName: state.q,
    target: state.target,
    result: state.result,
    severity: state.severity,
    action: state.action,
    ruleId: state.rule,
    violatedRuleId: state.violated,
    entityId: state.entity,
    scanId: state.scan,
    dateFrom: state.from,
    dateTo: state.to,
  })
  const query = { ...filters, sortOrder: state.order === '' ? 'desc' : state.order, ...pageOf(state.page) } as const
  const checks = useRead(
    ['checks', query],
    (api, signal) => api.GET('/compliance/audit', { params: { query }, signal }),
    {
      keep: true,
    },
  )
  const isFiltered = Object.keys(filters).length > 0
  const [first] = checks.data?.entries ?? []
  const ruleName = (id: string) =>
    [...(first?.violations ?? []), ...(first?.observed ?? [])].find(({ ruleId }) => ruleId === id)?.ruleName
  const listed = checks.data?.entries.find(({ id }) => id === state.sheet)
  // A link may lead to a check that is on another page, or that the filters hide.
  const linked = useRead(
    ['checks', 'one', state.sheet],
    (api, signal) => api.GET('/compliance/audit/{id}', { params: { path: { id: state.sheet } }, signal }),
    { enabled: state.sheet !== '' && listed === undefined && checks.data !== undefined },
  )
  const open = useOpenRow(state.sheet, listed ?? linked.data?.entry)
  return (
    <Page title={t('title')} question={t('question')} actions={<ExportMenu filters={filters} />}>
      <FilterBar
        text={{ label: t('entityName'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'result', label: c('result'), value: state.result, options: optionsOf(RESULTS, label) },
          {
            name: 'severity',
            label: t('violationOf'),
            value: state.severity,
            options: SEVERITIES.map((each) => [each, each === 'any' ? t('anySeverity') : label(each)] as const),
          },
          { name: 'target', label: c('target'), value: state.target, options: optionsOf(TARGETS, label) },
          { name: 'action', label: c('action'), value: state.action, options: optionsOf(ACTIONS, label) },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      >
        <TextField
          label={`${c('from')} (UTC)`}
          type="date"
          value={state.from}
          onChange={(event) => set({ from: event.target.value })}
        />
        <TextField
          label={`${c('to')} (UTC)`}
          type="date"
          value={state.to}
          onChange={(event) => set({ to: event.target.value })}
        />
      </FilterBar>
      <Chips
        of={[
          { name: c('rule'), value: named(state.rule, ruleName(state.rule)), onDrop: () => set({ rule: '' }) },
          {
            name: t('violated'),
            value: named(state.violated, ruleName(state.violated)),
            onDrop: () => set({ violated: '' }),
          },
          {
            name: c('entity'),
            value: named(state.entity, first?.entityName),
            onDrop: () => set({ entity: '' }),
          },
          { name: label('scan'), value: named(state.scan, null), onDrop: () => set({ scan: '' }) },
        ]}
      />
      <Rows
        of={checks}
        rows={({ entries }) => entries}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        sort={{ by: 'createdAt', order: state.order === 'asc' ? 'asc' : 'desc' }}
        onSort={({ order }) => set({ order })}
        onClear={isFiltered ? () => set(NONE) : undefined}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
      />
      <Refused error={state.sheet === '' ? null : linked.error} />
      {open !== undefined && (
        <Dialog
          kind="sheet"
          title={open.entityName ?? open.id}
          subtitle={<When at={open.createdAt} />}
          onClose={() => set({ sheet: '' })}
        >
          <CheckView of={open} />
        </Dialog>
      )}
    </Page>
  )
}

function useColumns(): readonly Column<Check>[] {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const { result, rules, action } = useCheckColumns()
  return [
    {
      id: 'entity',
      head: c('entity'),
      primary: true,
      cell: ({ id, entityName, entityId }) => <GoHere patch={{ sheet: id }}>{entityName ?? entityId ?? id}</GoHere>,
    },
    result,
    { ...rules, head: t('by') },
    { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
    action,
    { id: 'at', head: c('when'), sort: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
  ]
}

function ExportMenu({ filters }: { filters: Readonly<Record<string, string>> }) {
  const t = useWords(words)
  const organization = useOrganization()
  const load = (path: string, query: Readonly<Record<string, string>> = {}) =>
    startDownload(fileAddress(organization, path, query))
  return (
    <ActionMenu
      label={t('download')}
      face={
        <>
          <Download size={16} aria-hidden />
          {t('download')}
        </>
      }
      choices={[
        ...(['csv', 'sarif', 'jsonl'] as const).map((format) => ({
          id: format,
          label: t(format),
          onChoose: () => load('/compliance/audit/findings', { ...filters, format }),
        })),
        null,
        { id: 'bundle', label: t('bundle'), onChoose: () => load('/compliance/audit/export') },
      ]}
    />
  )
}
