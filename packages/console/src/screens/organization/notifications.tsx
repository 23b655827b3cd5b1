/** Notification settings: who is notified of what and how, and a test of the webhook. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { useEdits } from '../../data/edits.js'
import { Mark } from '../../data/marks.js'
import { Loaded } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { optionsOf } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Button } from '../../ui/basics.js'
import { CheckField, SelectField, TextField } from '../../ui/field.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

type Preference = components['schemas']['Preference']

export function Notifications() {
  const preference = useRead(['preferences'], (api) => api.GET('/compliance/notification-preferences'))
  return <Loaded of={preference}>{({ preference: of }) => <PreferenceForm of={of} />}</Loaded>
}

function PreferenceForm({ of }: { of: Preference }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const canChange = useCan('compliance:write')
  const { notifyOnBlock, notifyOnWarning, emailEnabled, digestMode, webhookUrl, hasWebhookSecret } = of
  const { form, edit, settle } = useEdits({
    notifyOnBlock,
    notifyOnWarning,
    emailEnabled,
    digestMode,
    webhookUrl: webhookUrl ?? '',
    webhookSecret: '',
  })
  const save = useWrite(
    (api, { webhookSecret, ...body }: typeof form) =>
      api.PUT('/compliance/notification-preferences', {
        body: {
          ...body,
          webhookUrl: body.webhookUrl === '' ? null : body.webhookUrl,
          ...(webhookSecret === '' ? {} : { webhookSecret }),
        },
      }),
    { stale: ['preferences'], done: t('notificationsSaved') },
  )
  const test = useWrite((api) => api.POST('/compliance/notification-preferences/test'), { stale: ['deliveries'] })
  return (
    <form
      className="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(form, { onSuccess: () => settle(form) })
      }}
    >
      <Refused error={save.error ?? test.error} />
      <CheckField
        label={t('onBlock')}
        checked={form.notifyOnBlock}
        disabled={!canChange}
        onChange={(value) => edit({ notifyOnBlock: value })}
      />
      <CheckField
        label={t('onWarning')}
        checked={form.notifyOnWarning}
        disabled={!canChange}
        onChange={(value) => edit({ notifyOnWarning: value })}
      />
      <CheckField
        label={t('email')}
        checked={form.emailEnabled}
        disabled={!canChange}
        onChange={(value) => edit({ emailEnabled: value })}
      />
      <SelectField
        label={t('digest')}
        value={form.digestMode}
        disabled={!canChange}
        options={optionsOf(['immediate', 'daily', 'weekly'], label)}
        onChange={(value) => edit({ digestMode: value as Preference['digestMode'] })}
      />
      <TextField
        label={t('webhook')}
        hint={t('webhookHint')}
        type="url"
        value={form.webhookUrl}
        disabled={!canChange}
        error={issueOf(save.error, 'webhookUrl')}
        onChange={(event) => edit({ webhookUrl: event.target.value })}
      />
      {canChange && (
        <TextField
          label={t('webhookSecret')}
          hint={t(hasWebhookSecret ? 'secretKept' : 'secretNone')}
          type="password"
          autoComplete="off"
          value={form.webhookSecret}
          error={issueOf(save.error, 'webhookSecret')}
          onChange={(event) => edit({ webhookSecret: event.target.value })}
        />
      )}
      {canChange && (
        <div className="form-actions">
          <Button type="submit" kind="main" busy={save.isPending}>
            {c('save')}
          </Button>
          {webhookUrl !== null && (
            <Button busy={test.isPending} onClick={() => test.mutate(undefined)}>
              {t('sendTest')}
            </Button>
          )}
        </div>
      )}
      {test.data !== undefined && <TestOutcome key={test.data.deliveryId} deliveryId={test.data.deliveryId} />}
    </form>
  )
}

const TEST_POLL_MS = 1000

/** Reads the log until the receiver has answered, or the request failed. */
function TestOutcome({ deliveryId }: { deliveryId: string }) {
  const t = useWords(words)
  const [isOver, setIsOver] = useState(false)
  const log = useRead(
    ['deliveries', 'test', deliveryId],
    (api) => api.GET('/compliance/notification-log', { params: { query: { deliveryId, limit: 1 } } }),
    { everyMs: isOver ? false : TEST_POLL_MS },
  )
  const entry = log.data?.entries[0]
  const status = entry?.status ?? 'pending'
  if (!isOver && status !== 'pending') setIsOver(true)
  const said = [entry?.responseCode, entry?.error].filter((each) => each != null).join(' ')
  if (log.error !== null) return <Refused error={log.error} onRetry={() => void log.refetch()} />
  return (
    <p role="status">
      {t('testOf')} <Mark value={status} /> {said}
    </p>
  )
}
