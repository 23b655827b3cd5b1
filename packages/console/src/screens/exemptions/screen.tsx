import { ApiError } from '@plumbline/client'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Go, GoHere } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Page } from '../../data/page.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { FilterBar } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import type { Column } from '../../ui/table.js'
import { notify } from '../../ui/toast.js'
import { useLabel, useWords } from '../../ui/words.js'
import { ExemptionView } from './exemption-view.js'
import { words } from './words.js'

export type Exemption = components['schemas']['Exemption']

const STATUSES = ['pending', 'approved', 'rejected', 'expired', 'revoked'] as const
const STATE = {
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
  const { user } = useSession()
  const canDecide = useCan('compliance:write')
  const [state, set] = useUrlState(STATE)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const filters = sent({ status: state.status, entityType: state.target, ruleId: state.rule, entityId: state.entity })
  const query = { ...filters, ...pageOf(state.page) } as const
  const list = useRead(
    ['exemptions', query],
    (api, signal) => api.GET('/compliance/exemptions', { params: { query }, signal }),
    {
      keep: true,
    },
  )
  const rows = list.data?.exemptions ?? []
  const open = rows.find(({ id }) => id === state.sheet)
  const decidable = rows.filter(
    ({ id, status, createdBy }) => selected.has(id) && status === 'pending' && createdBy !== user.id,
  )
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title={t('title')} question={t('question')}>
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
      <Rows
        of={list}
        rows={({ exemptions }) => exemptions}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        rowName={({ entityName, id }) => entityName ?? id}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={
          isFiltered && state.status !== 'pending'
            ? () => set({ status: '', target: '', rule: '', entity: '' })
            : undefined
        }
        empty={<Empty title={state.status === 'pending' ? t('nobodyWaits') : t('none')}>{t('noneNext')}</Empty>}
        {...(canDecide ? { selection: { selected, onChange: select } } : {})}
      />
      {decidable.length > 0 && <ApproveMany of={decidable} onDone={() => select(new Set())} />}
      {open !== undefined && (
        <Dialog
          kind="sheet"
          title={open.entityName ?? open.entityId ?? open.id}
          subtitle={<Mark value={open.status} />}
          onClose={() => set({ sheet: '' })}
        >
          <ExemptionView of={open} />
        </Dialog>
      )}
    </Page>
  )
}

/** The record names its rule by id; each rule is read once for all of its rows. */
function RuleName({ id }: { id: string }) {
  const c = useWords(commonWords)
  const rule = useRead(['rules', 'one', id], (api) => api.GET('/compliance/rules/{id}', { params: { path: { id } } }))
  return (
    <span className="clip">
      <Go to={`rules/${id}`}>{rule.data?.rule.name ?? c('rule')}</Go>
    </span>
  )
}

const SOON_MS = 14 * 86_400_000
export const endsSoon = ({ status, expiresAt }: Pick<Exemption, 'status' | 'expiresAt'>, nowMs: number): boolean =>
  status === 'approved' && expiresAt !== null && new Date(expiresAt).getTime() - nowMs < SOON_MS

function useColumns(): readonly Column<Exemption>[] {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { user } = useSession()
  return [
    {
      id: 'entity',
      head: c('entity'),
      primary: true,
      cell: ({ id, entityName, entityId }) => <GoHere patch={{ sheet: id }}>{entityName ?? entityId ?? id}</GoHere>,
    },
    { id: 'status', head: c('status'), cell: ({ status }) => <Mark value={status} /> },
    { id: 'reason', head: c('reason'), cell: ({ reason }) => <span className="clip">{reason}</span> },
    { id: 'rule', head: c('rule'), cell: ({ ruleId }) => <RuleName id={ruleId} /> },
    {
      id: 'by',
      head: t('askedBy'),
      cell: ({ createdBy }) =>
        createdBy === user.id ? t('you') : <span className="mono small">{createdBy?.slice(-8)}</span>,
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

/** One after another, each decided by the server for itself. */
function ApproveMany({ of, onDone }: { of: readonly Exemption[]; onDone: () => void }) {
  const t = useWords(words)
  const [isBusy, setBusy] = useState(false)
  const approve = useWrite(
    (api, id: string) =>
      api.PUT('/compliance/exemptions/{id}/review', { params: { path: { id } }, body: { status: 'approved' } }),
    { stale: ['exemptions', 'findings', 'summary'] },
  )
  const run = async () => {
    setBusy(true)
    let failed = 0
    for (const { id } of of) {
      try {
        await approve.mutateAsync(id)
      } catch (error) {
        if (!(error instanceof ApiError)) break
        failed += 1
      }
    }
    setBusy(false)
    notify(t('decided', { done: of.length - failed, failed }))
    onDone()
  }
  return (
    <div className="selection-bar">
      <Button busy={isBusy} onClick={() => void run()}>
        {t('approveAll', { count: of.length })}
      </Button>
    </div>
  )
}
