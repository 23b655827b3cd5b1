import { ApiError } from '@plumbline/client'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Chips, named } from '../../data/chips.js'
import { Go, GoHere } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { useNames } from '../../data/names.js'
import { Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent, useOpenRow } from '../../data/rows.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { FilterBar, Segments } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import type { Column } from '../../ui/table.js'
import { notify } from '../../ui/toast.js'
import { useLabel, useWords } from '../../ui/words.js'
import { ExemptionView } from './exemption-view.js'
import { words } from './words.js'

export type Exemption = components['schemas']['Exemption']

const STATUSES = ['pending', 'approved', 'rejected', 'expired', 'revoked'] as const
/** Of "ends soon". */
const SOON_DAYS = 14
const STATE = {
  show: oneOf(['mine', 'soon', 'all'], ''),
  status: oneOf(STATUSES, ''),
  target: oneOf(['plugin', 'pipeline'], ''),
  rule: text(),
  entity: text(),
  page: pageNumber(),
  sheet: text(),
}

export default function Exemptions() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const canDecide = useCan('compliance:write')
  const [state, set] = useUrlState(STATE)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const filters = sent({ status: state.status, entityType: state.target, ruleId: state.rule, entityId: state.entity })
  const isFiltered = Object.keys(filters).length > 0
  // A link that filters is about all of them. Without one, a person who decides begins with what waits for them.
  const show = state.show === '' ? (canDecide && !isFiltered ? 'mine' : 'all') : state.show
  const query = {
    ...filters,
    ...(show === 'mine' ? ({ waitsFor: 'me' } as const) : {}),
    ...(show === 'soon' ? { endsWithinDays: SOON_DAYS } : {}),
    ...pageOf(state.page),
  } as const
  const list = useRead(
    ['exemptions', query],
    (api, signal) => api.GET('/compliance/exemptions', { params: { query }, signal }),
    {
      keep: true,
    },
  )
  const rows = list.data?.exemptions ?? []
  const listed = rows.find(({ id }) => id === state.sheet)
  // It is read beside the list: a link may lead to one that is on another page, or that the filters hide.
  const opened = useRead(
    ['exemptions', 'one', state.sheet],
    (api, signal) => api.GET('/compliance/exemptions/{id}', { params: { path: { id: state.sheet } }, signal }),
    { enabled: state.sheet !== '' },
  )
  const open = useOpenRow(state.sheet, listed ?? opened.data?.exemption)
  const decidable = rows.filter(({ id, mayDecide }) => selected.has(id) && mayDecide === true)
  const unselect = (decided: ReadonlySet<string>) =>
    select((before) => new Set([...before].filter((id) => !decided.has(id))))
  return (
    <Page title={t('title')} question={t('question')}>
      <Segments
        label={t('show')}
        value={show}
        options={[
          ['mine', t('mine')],
          ['soon', t('endsSoon', { days: SOON_DAYS })],
          ['all', label('all')],
        ]}
        onChange={(next) => set({ show: next as 'all' })}
      />
      <FilterBar
        filters={[
          { name: 'status', label: c('status'), value: state.status, options: optionsOf(STATUSES, label) },
          {
            name: 'target',
            label: c('target'),
            value: state.target,
            options: optionsOf(['plugin', 'pipeline'], label),
          },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      />
      <Chips
        of={[
          { name: c('rule'), value: named(state.rule, rows[0]?.ruleName), onDrop: () => set({ show, rule: '' }) },
          {
            name: c('entity'),
            value: named(state.entity, rows[0]?.entityName),
            onDrop: () => set({ show, entity: '' }),
          },
        ]}
      />
      <Rows
        of={list}
        rows={({ exemptions }) => exemptions}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        columns={useColumns(rows)}
        rowKey={({ id }) => id}
        rowName={({ entityName, id }) => entityName ?? id}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={
          isFiltered && state.status !== 'pending'
            ? () => set({ show, status: '', target: '', rule: '', entity: '' })
            : undefined
        }
        empty={
          <Empty
            title={show === 'mine' || state.status === 'pending' ? t('nobodyWaits') : t('none')}
            actions={show === 'all' ? undefined : <Button onClick={() => set({ show: 'all' })}>{t('showAll')}</Button>}
          >
            {t('noneNext')}
          </Empty>
        }
        {...(canDecide ? { selection: { selected, onChange: select } } : {})}
      />
      {decidable.length > 0 && <ApproveMany of={decidable} onDecided={unselect} />}
      <Refused error={state.sheet === '' || open !== undefined ? null : opened.error} />
      {open !== undefined && (
        <Dialog
          kind="sheet"
          title={open.entityName ?? open.entityId ?? open.id}
          subtitle={<Mark value={open.status} />}
          onClose={() => set({ sheet: '' })}
        >
          <ExemptionView of={open} opened={opened} />
        </Dialog>
      )}
    </Page>
  )
}

const SOON_MS = SOON_DAYS * 86_400_000
export const endsSoon = ({ status, expiresAt }: Pick<Exemption, 'status' | 'expiresAt'>, nowMs: number): boolean =>
  status === 'approved' && expiresAt !== null && new Date(expiresAt).getTime() - nowMs < SOON_MS

function useColumns(rows: readonly Exemption[]): readonly Column<Exemption>[] {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { user, organization } = useSession()
  const name = useNames(rows.map(({ createdBy }) => createdBy))
  return [
    {
      id: 'entity',
      head: c('entity'),
      primary: true,
      cell: ({ id, orgId, entityName, entityId }) => (
        <span className="row">
          <GoHere patch={{ sheet: id }}>{entityName ?? entityId ?? id}</GoHere>
          {orgId !== organization.id && <Badge>{t('ofTeam')}</Badge>}
        </span>
      ),
    },
    { id: 'status', head: c('status'), cell: ({ status }) => <Mark value={status} /> },
    { id: 'reason', head: c('reason'), cell: ({ reason }) => <span className="clip">{reason}</span> },
    {
      id: 'rule',
      head: c('rule'),
      cell: ({ ruleId, ruleName }) =>
        ruleName === null ? (
          <span className="mono small">{ruleId.slice(-8)}</span>
        ) : (
          <span className="clip">
            <Go to={`rules/${ruleId}`}>{ruleName}</Go>
          </span>
        ),
    },
    {
      id: 'by',
      head: t('askedBy'),
      cell: ({ createdBy }) => (createdBy === user.id ? t('you') : createdBy === null ? '–' : name(createdBy)),
    },
    {
      id: 'ends',
      head: c('expires'),
      cell: (row) => (
        <span className="row">
          <When at={row.expiresAt} />
          {endsSoon(row, Date.now()) && <Badge tone="warning">{t('soon')}</Badge>}
        </span>
      ),
    },
    { id: 'at', head: c('created'), cell: ({ createdAt }) => <When at={createdAt} relative /> },
  ]
}

interface ApproveManyProps {
  of: readonly Exemption[]
  onDecided: (decided: ReadonlySet<string>) => void
}

/**
 * Approves one exemption after another. The server decides on each of them separately. What was refused, and what was
 * not sent after a lost connection, stays selected.
 */
function ApproveMany({ of, onDecided }: ApproveManyProps) {
  const t = useWords(words)
  const [isBusy, setBusy] = useState(false)
  const approve = useWrite(
    (api, id: string) =>
      api.PUT('/compliance/exemptions/{id}/review', { params: { path: { id } }, body: { status: 'approved' } }),
    { stale: ['exemptions', 'findings', 'summary'] },
  )
  const [lost, setLost] = useState<Error | null>(null)
  const run = async () => {
    setBusy(true)
    setLost(null)
    const decided = new Set<string>()
    let failed = 0
    for (const { id } of of) {
      try {
        await approve.mutateAsync(id)
        decided.add(id)
      } catch (error) {
        if (!(error instanceof ApiError)) {
          setLost(error as Error)
          break
        }
        failed += 1
      }
    }
    setBusy(false)
    notify(t('decided', { done: decided.size, failed }))
    onDecided(decided)
  }
  return (
    <>
      <Refused error={lost} />
      <div className="selection-bar">
        <Button busy={isBusy} onClick={() => void run()}>
          {t('approveAll', { count: of.length })}
        </Button>
      </div>
    </>
  )
}
