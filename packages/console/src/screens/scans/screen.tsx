import { ApiError } from '@plumbline/client'
import { CalendarPlus, Play } from 'lucide-react'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Go, useGo } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { Progress } from '../../ui/charts.js'
import { FormDialog } from '../../ui/dialog.js'
import { CheckField, FilterBar, SelectField, TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import type { Column } from '../../ui/table.js'
import { useLabel, useWords } from '../../ui/words.js'
import { ScheduleForm, Schedules } from './schedules.js'
import { words } from './words.js'

type Scan = components['schemas']['Scan']

const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
const TARGETS = ['plugin', 'pipeline', 'all'] as const
const STATE = {
  tab: oneOf(['scans', 'schedules'], 'scans'),
  status: oneOf(STATUSES, ''),
  target: oneOf(TARGETS, ''),
  page: pageNumber(),
  /** The schedule whose sheet is open. */
  sheet: text(),
}
const REFRESH_MS = 3000

export default function Scans() {
  const t = useWords(words)
  const canWrite = useCan('compliance:write')
  const [state, set] = useUrlState(STATE)
  const [dialog, setDialog] = useState<'scan' | 'schedule' | null>(null)
  const actions = canWrite && (
    <>
      <Button icon={<CalendarPlus size={16} aria-hidden />} onClick={() => setDialog('schedule')}>
        {t('newSchedule')}
      </Button>
      <Button kind="main" icon={<Play size={16} aria-hidden />} onClick={() => setDialog('scan')}>
        {t('start')}
      </Button>
    </>
  )
  return (
    <Page title={t('title')} question={t('question')} actions={actions}>
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'scans' })}
        tabs={[
          { id: 'scans', label: t('scans'), content: () => <ScanList /> },
          {
            id: 'schedules',
            label: t('schedules'),
            content: () => (
              <Schedules
                page={state.page}
                onPage={(page) => set({ page })}
                sheet={state.sheet}
                onClose={() => set({ sheet: '' })}
              />
            ),
          },
        ]}
      />
      {dialog === 'scan' && <StartScan onClose={() => setDialog(null)} />}
      {dialog === 'schedule' && <ScheduleForm of={null} onClose={() => setDialog(null)} />}
    </Page>
  )
}

function ScanList() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({ status: state.status, target: state.target })
  const query = { ...filters, ...pageOf(state.page) } as const
  const [isMoving, setMoving] = useState(false)
  const scans = useRead(
    ['scans', query],
    (api, signal) => api.GET('/compliance/scans', { params: { query }, signal }),
    {
      keep: true,
      everyMs: isMoving ? REFRESH_MS : false,
    },
  )
  const hasRunning = scans.data?.scans.some(({ status }) => status === 'running' || status === 'pending') === true
  if (hasRunning !== isMoving) setMoving(hasRunning)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <FilterBar
        filters={[
          { name: 'status', label: c('status'), value: state.status, options: optionsOf(STATUSES, label) },
          { name: 'target', label: c('target'), value: state.target, options: optionsOf(TARGETS, label) },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      />
      <Rows
        of={scans}
        rows={({ scans: rows }) => rows}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={isFiltered ? () => set({ status: '', target: '' }) : undefined}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
      />
    </>
  )
}

function useColumns(): readonly Column<Scan>[] {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const format = useFormat()
  return [
    {
      id: 'at',
      head: t('scan'),
      primary: true,
      cell: ({ id, createdAt }) => (
        <Go to={`scans/${id}`}>
          <When at={createdAt} />
        </Go>
      ),
    },
    { id: 'status', head: c('status'), cell: ({ status }) => <Mark value={status} /> },
    {
      id: 'progress',
      head: t('what'),
      cell: ({ target, processedEntities, totalEntities, dryRun }) => (
        <div className="stack-small">
          <span className="small">
            {label(target)} · {t('progress', { done: processedEntities, total: totalEntities })}{' '}
            {dryRun && <Badge>{t('trial')}</Badge>}
          </span>
          <Progress label={label(target)} value={processedEntities} max={Math.max(1, totalEntities)} />
        </div>
      ),
    },
    { id: 'block', head: t('blocked'), end: true, cell: ({ blockCount }) => format.number(blockCount) },
    { id: 'warn', head: t('warned'), end: true, cell: ({ warnCount }) => format.number(warnCount) },
    { id: 'pass', head: t('passed'), end: true, cell: ({ passCount }) => format.number(passCount) },
    { id: 'by', head: t('by'), cell: ({ triggeredBy }) => label(triggeredBy) },
  ]
}

function StartScan({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const label = useLabel(valueWords)
  const go = useGo()
  const [target, setTarget] = useState('all')
  const [name, setName] = useState('')
  const [dryRun, setDryRun] = useState(false)
  const start = useWrite(
    (api, body: components['schemas']['ScanCreateBody']) => api.POST('/compliance/scans', { body }),
    {
      stale: ['scans'],
      done: t('started'),
      onDone({ scan }) {
        onClose()
        go(`scans/${scan.id}`)
      },
    },
  )
  const send = () =>
    start.mutate({
      target: target as Scan['target'],
      dryRun,
      ...(name.trim() === '' ? {} : { filter: { name: name.trim() } }),
    })
  return (
    <FormDialog
      title={t('start')}
      submit={t('start')}
      busy={start.isPending}
      problem={
        <>
          <Refused error={start.error} />
          <OtherScan refusal={start.error} />
        </>
      }
      onSubmit={send}
      onClose={onClose}
    >
      <SelectField
        label={t('what')}
        value={target}
        options={optionsOf(['all', 'pipeline', 'plugin'], label)}
        onChange={setTarget}
      />
      <TextField label={t('onlyName')} value={name} onChange={(event) => setName(event.target.value)} />
      <CheckField label={t('dryRun')} checked={dryRun} onChange={setDryRun} />
    </FormDialog>
  )
}

/** Leads to the scan that is in the way of a new one. */
function OtherScan({ refusal }: { refusal: Error | null }) {
  const t = useWords(words)
  if (!(refusal instanceof ApiError) || refusal.code !== 'SCAN_CONFLICT') return null
  const { scanId } = refusal.details
  return typeof scanId === 'string' && <Go to={`scans/${scanId}`}>{t('openRunning')}</Go>
}
