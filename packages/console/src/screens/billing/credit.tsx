/** Credit: the balance, a code whose value is shown before it is redeemed, and the ledger. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useOrganization, useRead, useWrite } from '../../data/api.js'
import { fileAddress } from '../../data/client.js'
import { issueOf, Refused } from '../../data/refused.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { Figures } from '../../ui/charts.js'
import { FormDialog } from '../../ui/dialog.js'
import { TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { useBillingLabel, useSubscription } from './data.js'
import { words } from './words.js'

export function CreditTab({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const t = useWords(words)
  const format = useFormat()
  const canManage = useCan('billing:manage')
  const [isOpen, setOpen] = useState(false)
  const subscription = useSubscription()
  const held = subscription.data?.subscription ?? null
  return (
    <>
      <div className="row-between">
        <Figures label={t('balance')} value={held === null ? '–' : format.money(held.creditBalanceCents)} />
        {canManage && held !== null && <Button onClick={() => setOpen(true)}>{t('redeem')}</Button>}
      </div>
      <Ledger page={page} onPage={onPage} />
      {isOpen && held !== null && <Redeem id={held.id} onClose={() => setOpen(false)} />}
    </>
  )
}

function Ledger({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  const label = useBillingLabel()
  const organization = useOrganization()
  const query = { ...pageOf(page), sortBy: 'createdAt', sortOrder: 'desc' } as const
  const list = useRead(['billing', 'ledger', page], (api) => api.GET('/billing/ledger', { params: { query } }), {
    keep: true,
  })
  return (
    <section className="stack-small">
      <div className="row-between">
        <h2>{t('ledger')}</h2>
        <a className="button" href={fileAddress(organization, '/billing/ledger/export')} download>
          <Download size={16} aria-hidden />
          {t('ledgerFile')}
        </a>
      </div>
      <Rows
        of={list}
        rows={({ entries }) => entries}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={onPage}
        caption={t('ledger')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noEntry')}>{t('noEntryNext')}</Empty>}
        columns={[
          { id: 'type', head: t('event'), primary: true, cell: ({ type }) => label(type) },
          { id: 'at', head: c('when'), cell: ({ createdAt }) => <When at={createdAt} /> },
          { id: 'from', head: t('source'), cell: ({ sourceId }) => <code className="clip">{sourceId}</code> },
          { id: 'state', head: c('state'), cell: ({ state }) => <Badge>{label(state)}</Badge> },
          { id: 'cents', head: t('amount'), end: true, cell: ({ cents }) => format.money(cents) },
          { id: 'left', head: t('left'), end: true, cell: ({ remainingCents }) => format.money(remainingCents) },
        ]}
      />
    </section>
  )
}

function Redeem({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(words)
  const format = useFormat()
  const [code, setCode] = useState('')
  const path = { id }
  const check = useWrite(
    (api, body: { code: string }) =>
      api.POST('/billing/subscriptions/{id}/discounts/preview', { params: { path }, body }),
    { stale: [] },
  )
  const redeem = useWrite(
    (api, body: { code: string }) => api.POST('/billing/subscriptions/{id}/discounts', { params: { path }, body }),
    { stale: ['billing'], done: t('redeemed'), onDone: onClose },
  )
  const given = { code: code.trim() }
  const isChecked = check.data !== undefined && check.variables?.code === given.code
  return (
    <FormDialog
      title={t('redeem')}
      submit={isChecked ? t('redeem') : t('check')}
      busy={check.isPending || redeem.isPending}
      disabled={given.code === ''}
      problem={<Refused error={redeem.error ?? check.error} />}
      onSubmit={() => (isChecked ? redeem.mutate(given) : check.mutate(given))}
      onClose={onClose}
    >
      <TextField
        label={t('code')}
        value={code}
        autoFocus
        autoComplete="off"
        error={issueOf(check.error, 'code')}
        onChange={(event) => setCode(event.target.value)}
      />
      {isChecked && check.data !== undefined && (
        <Message tone="pass" title={t('codeGives', { money: format.money(check.data.cents) })} live />
      )}
    </FormDialog>
  )
}
