import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { GoHere } from '../../data/go.js'
import { Loaded } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, useOpenRow } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, Facts, When } from '../../ui/basics.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { SelectField, TextField } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useLanguage, useWords } from '../../ui/words.js'
import { cronWords } from './cron-words.js'
import { words } from './words.js'

const PRESETS = { '0 * * * *': 'hourly', '0 2 * * *': 'daily', '0 2 * * 1': 'weekly', '0 2 1 * *': 'monthly' } as const
type Schedule = components['schemas']['ScanScheduleSchedule']
type Preset = keyof typeof PRESETS

interface SchedulesProps {
  page: number
  onPage: (page: number) => void
  /** The id of the schedule whose sheet is open; empty while none is. */
  sheet: string
  onClose: () => void
}

export function Schedules({ page, onPage, sheet, onClose }: SchedulesProps) {
  const t = useWords(words)
  const to = useLanguage()
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const canWrite = useCan('compliance:write')
  const query = pageOf(page)
  const list = useRead(
    ['schedules', query],
    (api, signal) => api.GET('/compliance/scan-schedules', { params: { query }, signal }),
    { keep: true },
  )
  const listed = list.data?.schedules.find(({ id }) => id === sheet)
  // A link may lead to a schedule that is on another page.
  const linked = useOneSchedule(sheet, sheet !== '' && listed === undefined && list.data !== undefined)
  const open = useOpenRow(sheet, listed ?? linked.data?.schedule)
  const activate = useWrite(
    (api, { id, isActive }: { id: string; isActive: boolean }) =>
      api.PATCH('/compliance/scan-schedules/{id}/active', { params: { path: { id } }, body: { isActive } }),
    { stale: ['schedules'], done: t('scheduled') },
  )
  return (
    <>
      <Refused error={activate.error} />
      <Rows
        of={list}
        rows={({ schedules }) => schedules}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={onPage}
        caption={t('schedules')}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'when',
            head: `${t('when')} (UTC)`,
            primary: true,
            cell: (of) => (
              <span className="row">
                <GoHere patch={{ sheet: of.id }}>
                  {of.cronExpression in PRESETS
                    ? t(PRESETS[of.cronExpression as Preset])
                    : (cronWords(of.cronExpression, to) ?? t('own'))}
                </GoHere>
                <code>{of.cronExpression}</code>
              </span>
            ),
          },
          { id: 'what', head: t('what'), cell: ({ target }) => label(target) },
          {
            id: 'state',
            head: c('state'),
            cell: ({ isActive }) => <Badge tone={isActive ? 'pass' : 'plain'}>{t(isActive ? 'isOn' : 'isOff')}</Badge>,
          },
          {
            id: 'next',
            head: t('nextRun'),
            cell: ({ nextRunAt, isActive }) => <When at={isActive ? nextRunAt : null} />,
          },
          { id: 'last', head: t('lastRun'), cell: ({ lastRunAt }) => <When at={lastRunAt} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id, isActive }) =>
              canWrite ? (
                <Button kind="quiet" onClick={() => activate.mutate({ id, isActive: !isActive })}>
                  {t(isActive ? 'switchOff' : 'switchOn')}
                </Button>
              ) : null,
          },
        ]}
        empty={<Empty title={t('noSchedule')}>{t('noScheduleNext')}</Empty>}
      />
      <Refused error={sheet === '' ? null : linked.error} />
      {open !== undefined && <ScheduleSheet key={open.id} of={open} onClose={onClose} />}
    </>
  )
}

function useOneSchedule(id: string, enabled = true) {
  return useRead(
    ['schedules', 'one', id],
    (api) => api.GET('/compliance/scan-schedules/{id}', { params: { path: { id } } }),
    { enabled },
  )
}

/** The next runs of a schedule. It can be changed and deleted here. */
function ScheduleSheet({ of, onClose }: { of: Schedule; onClose: () => void }) {
  const t = useWords(words)
  const to = useLanguage()
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const canWrite = useCan('compliance:write')
  const [isEditing, setEditing] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const params = { path: { id: of.id } }
  const one = useOneSchedule(of.id)
  const remove = useWrite((api, _: null) => api.DELETE('/compliance/scan-schedules/{id}', { params }), {
    stale: ['schedules'],
    done: t('scheduleGone'),
    onDone: onClose,
  })
  return (
    <Dialog kind="sheet" title={t('schedule')} subtitle={<code>{of.cronExpression}</code>} onClose={onClose}>
      <Facts
        of={[
          [t('what'), label(of.target)],
          [`${t('inWords')} (UTC)`, cronWords(of.cronExpression, to) ?? t('own')],
          [c('state'), t(of.isActive ? 'isOn' : 'isOff')],
          [t('lastRun'), <When key="l" at={of.lastRunAt} />],
        ]}
      />
      <section className="stack-small">
        <h3>{t('nextRuns')}</h3>
        <Loaded of={one} lines={5}>
          {({ nextRuns }) =>
            nextRuns.length === 0 ? (
              <p className="muted">{t('noRun')}</p>
            ) : (
              <ol className="plain-list">
                {nextRuns.map((at) => (
                  <li key={at}>
                    <When at={at} />
                  </li>
                ))}
              </ol>
            )
          }
        </Loaded>
      </section>
      {canWrite && (
        <div className="row">
          <Button kind="main" onClick={() => setEditing(true)}>
            {c('edit')}
          </Button>
          <Button kind="danger" onClick={() => setRemoving(true)}>
            {c('remove')}
          </Button>
        </div>
      )}
      {isRemoving && (
        <Deletion
          title={t('removeSchedule')}
          submit={c('remove')}
          by={remove}
          input={null}
          onClose={() => setRemoving(false)}
        >
          {t('scheduleSure')}
        </Deletion>
      )}
      {isEditing && <ScheduleForm of={of} onClose={onClose} />}
    </Dialog>
  )
}

export function ScheduleForm({ of, onClose }: { of: Schedule | null; onClose: () => void }) {
  const t = useWords(words)
  const to = useLanguage()
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const isPreset = of === null || of.cronExpression in PRESETS
  const [target, setTarget] = useState<string>(of?.target ?? 'all')
  const [preset, setPreset] = useState<string>(isPreset ? (of?.cronExpression ?? '0 2 * * *') : '')
  const [own, setOwn] = useState(isPreset ? '' : (of?.cronExpression ?? ''))
  const options = { stale: ['schedules'], done: t('scheduled'), onDone: onClose }
  const create = useWrite(
    (api, body: components['schemas']['ScanScheduleCreateBody']) => api.POST('/compliance/scan-schedules', { body }),
    options,
  )
  const change = useWrite(
    (api, body: components['schemas']['ScanScheduleCreateBody']) =>
      api.PUT('/compliance/scan-schedules/{id}', { params: { path: { id: of?.id ?? '' } }, body }),
    options,
  )
  const save = of === null ? create : change
  const cronExpression = preset === '' ? own.trim() : preset
  return (
    <FormDialog
      title={t(of === null ? 'newSchedule' : 'schedule')}
      submit={of === null ? t('newSchedule') : c('save')}
      busy={save.isPending}
      disabled={cronExpression === ''}
      problem={<Refused error={save.error} />}
      onSubmit={() => save.mutate({ target: target as 'all', cronExpression })}
      onClose={onClose}
    >
      <SelectField
        label={t('what')}
        value={target}
        options={optionsOf(['all', 'pipeline', 'plugin'], label)}
        onChange={setTarget}
      />
      <SelectField
        label={t('when')}
        value={preset}
        options={[...Object.entries(PRESETS).map(([cron, name]) => [cron, t(name)] as const), ['', t('own')] as const]}
        onChange={setPreset}
      />
      {preset === '' && (
        <TextField
          label={t('cron')}
          hint={cronWords(own, to) ?? t('cronHint')}
          value={own}
          error={issueOf(save.error, 'cronExpression')}
          spellCheck={false}
          onChange={(event) => setOwn(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
