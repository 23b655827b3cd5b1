/** Alerts: at a given amount, the server notifies the people who manage billing. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { issueOf, Refused } from '../../data/refused.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Button, When } from '../../ui/basics.js'
import { centsOf } from '../../ui/cents.js'
import { FormDialog } from '../../ui/dialog.js'
import { SelectField, TextField } from '../../ui/field.js'
import { decimalCents, useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { useBillingLabel } from './data.js'
import { words } from './words.js'

type Alert = components['schemas']['Alert']
const KINDS = ['next_invoice_over', 'period_spend_over', 'credit_below'] as const

export function AlertsTab({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  const label = useBillingLabel()
  const canManage = useCan('billing:manage')
  const [removed, setRemoved] = useState<Alert | null>(null)
  const [edited, setEdited] = useState<Alert | 'new' | null>(null)
  const query = pageOf(page)
  const list = useRead(['billing', 'alerts', page], (api) => api.GET('/billing/alerts', { params: { query } }), {
    keep: true,
  })
  const remove = useWrite((api, id: string) => api.DELETE('/billing/alerts/{id}', { params: { path: { id } } }), {
    stale: ['billing'],
    done: t('alertGone'),
  })
  const say = ({ kind, thresholdCents }: Alert) => `${label(kind)} ${format.money(thresholdCents)}`
  return (
    <>
      {canManage && (
        <div>
          <Button kind="main" onClick={() => setEdited('new')}>
            {t('newAlert')}
          </Button>
        </div>
      )}
      <Rows
        of={list}
        rows={({ alerts }) => alerts}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={onPage}
        caption={t('alerts')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noAlert')}>{t('noAlertNext')}</Empty>}
        columns={[
          { id: 'kind', head: t('kind'), primary: true, cell: say },
          { id: 'told', head: t('lastTold'), cell: ({ lastToldAt }) => <When at={lastToldAt} relative /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (each) =>
              canManage && (
                <span className="row">
                  <Button aria-label={`${c('edit')}: ${say(each)}`} onClick={() => setEdited(each)}>
                    {c('edit')}
                  </Button>
                  <Button kind="danger" aria-label={`${c('remove')}: ${say(each)}`} onClick={() => setRemoved(each)}>
                    {c('remove')}
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {removed !== null && (
        <Deletion
          title={`${c('remove')}: ${say(removed)}`}
          submit={c('remove')}
          by={remove}
          input={removed.id}
          onClose={() => setRemoved(null)}
        >
          {t('alertSure')}
        </Deletion>
      )}
      {edited !== null && <AlertForm of={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function AlertForm({ of, onClose }: { of: Alert | null; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useBillingLabel()
  const [kind, setKind] = useState<Alert['kind']>(of?.kind ?? 'next_invoice_over')
  const [text, setText] = useState(of === null ? '' : decimalCents(of.thresholdCents))
  const settle = { stale: ['billing'], done: t('alertSet'), onDone: onClose }
  const make = useWrite(
    (api, body: components['schemas']['AlertCreateBody']) => api.POST('/billing/alerts', { body }),
    settle,
  )
  const change = useWrite(
    (api, { id, thresholdCents }: { id: string; thresholdCents: number }) =>
      api.PUT('/billing/alerts/{id}', { params: { path: { id } }, body: { thresholdCents } }),
    settle,
  )
  const cents = centsOf(text)
  const error = make.error ?? change.error
  const submit = () => {
    if (cents === null) return
    if (of === null) make.mutate({ kind, thresholdCents: cents })
    else change.mutate({ id: of.id, thresholdCents: cents })
  }
  return (
    <FormDialog
      title={of === null ? t('newAlert') : t('editAlert')}
      submit={c('save')}
      busy={make.isPending || change.isPending}
      disabled={cents === null}
      problem={<Refused error={error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('kind')}
        value={kind}
        disabled={of !== null}
        options={KINDS.map((each) => [each, label(each)] as const)}
        onChange={(next) => setKind(next as Alert['kind'])}
      />
      <TextField
        label={t('threshold')}
        inputMode="decimal"
        value={text}
        autoFocus
        error={text !== '' && cents === null ? t('badAmount') : issueOf(error, 'thresholdCents')}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}
