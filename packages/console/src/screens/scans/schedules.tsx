import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { issueOf, Refused } from '../../data/refused.js'
import { optionsOf, Rows } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { SelectField, TextField } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

const PRESETS = { '0 * * * *': 'hourly', '0 2 * * *': 'daily', '0 2 * * 1': 'weekly', '0 2 1 * *': 'monthly' } as const
type Preset = keyof typeof PRESETS

interface SchedulesProps {
  isCreating: boolean
  onlyForm?: boolean
  onClose: () => void
}

export function Schedules({ isCreating, onlyForm = false, onClose }: SchedulesProps) {
  return (
    <>
      {!onlyForm && <ScheduleList />}
      {isCreating && <NewSchedule onClose={onClose} />}
    </>
  )
}

function ScheduleList() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const canWrite = useCan('compliance:write')
  const list = useRead(['schedules'], (api) =>
    api.GET('/compliance/scan-schedules', { params: { query: { limit: 100 } } }),
  )
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
        caption={t('schedules')}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'when',
            head: t('when'),
            primary: true,
            cell: ({ cronExpression }) => (
              <span className="row">
                {cronExpression in PRESETS && t(PRESETS[cronExpression as Preset])} <code>{cronExpression}</code>
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
    </>
  )
}

function NewSchedule({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const label = useLabel(valueWords)
  const [target, setTarget] = useState('all')
  const [preset, setPreset] = useState<string>('0 2 * * *')
  const [own, setOwn] = useState('')
  const create = useWrite(
    (api, body: components['schemas']['ScanScheduleCreateBody']) => api.POST('/compliance/scan-schedules', { body }),
    { stale: ['schedules'], done: t('scheduled'), onDone: onClose },
  )
  const cronExpression = preset === '' ? own : preset
  return (
    <FormDialog
      title={t('newSchedule')}
      submit={t('newSchedule')}
      busy={create.isPending}
      disabled={cronExpression.trim() === ''}
      problem={<Refused error={create.error} />}
      onSubmit={() => create.mutate({ target: target as 'all', cronExpression })}
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
          value={own}
          error={issueOf(create.error, 'cronExpression')}
          spellCheck={false}
          onChange={(event) => setOwn(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
