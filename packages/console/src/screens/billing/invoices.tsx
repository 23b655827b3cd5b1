/**
 * Invoices: the next one line by line, as it is and as it would be with changes; the billing history; each invoice with
 * its lines.
 */
import { useMutation } from '@tanstack/react-query'
import { Download, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { type components, useOrganization, useRead } from '../../data/api.js'
import { fileAddress } from '../../data/client.js'
import { download } from '../../data/download.js'
import { GoHere } from '../../data/go.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { pageOf, Rows } from '../../data/rows.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, Facts, type Tone, When } from '../../ui/basics.js'
import { Bars } from '../../ui/charts.js'
import { Dialog } from '../../ui/dialog.js'
import { CheckField, FilterBar } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { type Interval, type PlanId, useBillingLabel, usePlans } from './data.js'
import { Lines } from './lines.js'
import { words } from './words.js'

const TONES: Readonly<Record<string, Tone>> = {
  paid: 'pass',
  open: 'warning',
  disputed: 'error',
  uncollectible: 'error',
}

interface TabProps {
  page: number
  onPage: (page: number) => void
  sheet: string
  onClose: () => void
}

export function InvoicesTab({ page, onPage, sheet, onClose }: TabProps) {
  return (
    <>
      <NextInvoice />
      <Spend />
      <InvoiceList page={page} onPage={onPage} />
      {sheet !== '' && <InvoiceSheet id={sheet} onClose={onClose} />}
    </>
  )
}

function NextInvoice() {
  const t = useWords(words)
  const format = useFormat()
  const plans = usePlans()
  const [planId, setPlan] = useState<PlanId | ''>('')
  const [interval, setInterval] = useState<Interval | ''>('')
  const [isEnding, setEnding] = useState(false)
  const query = {
    ...(planId === '' ? {} : { planId }),
    ...(interval === '' ? {} : { interval }),
    ...(isEnding ? { cancel: true } : {}),
  }
  const isAsked = Object.keys(query).length > 0
  const next = useRead(['billing', 'next', query], (api) => api.GET('/billing/invoices/next', { params: { query } }), {
    keep: true,
  })
  const change = (name: string, value: string) =>
    name === 'plan' ? setPlan(value as PlanId | '') : setInterval(value as Interval | '')
  return (
    <section className="stack-small">
      <h2>{next.data?.invoice == null ? t('next') : t('nextDue', { date: format.date(next.data.invoice.dueAt) })}</h2>
      <FilterBar
        onChange={change}
        filters={[
          {
            name: 'plan',
            label: `${t('whatIf')}: ${t('plan')}`,
            value: planId,
            all: t('asIs'),
            options: (plans.data?.plans ?? []).map(({ id, name }) => [id, name] as const),
          },
          {
            name: 'interval',
            label: `${t('whatIf')}: ${t('interval')}`,
            value: interval,
            all: t('asIs'),
            options: [
              ['monthly', t('monthly')],
              ['annual', t('annual')],
            ],
          },
        ]}
      >
        <CheckField label={t('cancelPlan')} checked={isEnding} onChange={setEnding} />
      </FilterBar>
      {isAsked && <Message tone="accent">{t('whatIfHint')}</Message>}
      <Loaded of={next} lines={3}>
        {({ invoice }) =>
          invoice === null ? (
            <Empty title={t('noNext')}>{t('noNextWhy')}</Empty>
          ) : (
            <Lines of={invoice} caption={t('next')} />
          )
        }
      </Loaded>
    </section>
  )
}

function Spend() {
  const t = useWords(words)
  const format = useFormat()
  const summary = useRead(['billing', 'summary'], (api) => api.GET('/billing/summary'), { aside: true })
  const months = summary.data?.timeline ?? []
  if (months.length < 2) return null
  return (
    <section className="card">
      <Bars
        title={t('spend')}
        head={t('month')}
        show={(cents) => format.money(cents)}
        series={[{ id: 'net', label: t('billed'), fill: 'accent' }]}
        points={months.map(({ periodStart, netCents }) => ({
          label: periodStart.slice(0, 7),
          values: { net: netCents },
        }))}
      />
    </section>
  )
}

function InvoiceList({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  const label = useBillingLabel()
  const query = { ...pageOf(page), sortBy: 'createdAt', sortOrder: 'desc' } as const
  const list = useRead(['billing', 'invoices', page], (api) => api.GET('/billing/invoices', { params: { query } }), {
    keep: true,
  })
  return (
    <section className="stack-small">
      <h2>{t('invoices')}</h2>
      <Rows
        of={list}
        rows={({ invoices }) => invoices}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={onPage}
        caption={t('invoices')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noInvoice')}>{t('noInvoiceNext')}</Empty>}
        columns={[
          {
            id: 'at',
            head: c('when'),
            primary: true,
            cell: ({ id, createdAt }) => <GoHere patch={{ sheet: id }}>{format.date(createdAt)}</GoHere>,
          },
          {
            id: 'for',
            head: t('for'),
            cell: ({ lines }) => <span className="clip">{lines.map(({ label: text }) => text).join(', ')}</span>,
          },
          {
            id: 'status',
            head: c('status'),
            cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{label(status)}</Badge>,
          },
          {
            id: 'total',
            head: t('total'),
            end: true,
            cell: ({ totalCents, currency }) => format.money(totalCents, currency),
          },
        ]}
      />
    </section>
  )
}

function InvoiceSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useBillingLabel()
  const format = useFormat()
  const organization = useOrganization()
  const path = { id }
  const invoice = useRead(['billing', 'invoice', id], (api) => api.GET('/billing/invoices/{id}', { params: { path } }))
  const of = invoice.data?.invoice
  const pdf = useMutation({
    mutationFn: () =>
      download({
        organization,
        path: `/billing/invoices/${id}`,
        accept: 'application/pdf',
        name: `invoice-${of?.createdAt.slice(0, 10)}.pdf`,
      }),
  })
  return (
    <Dialog
      kind="sheet"
      title={of === undefined ? t('invoices') : t('invoiceOf', { date: format.date(of.createdAt) })}
      onClose={onClose}
    >
      <Loaded of={invoice}>
        {({ invoice: each, issuer, customer, sandbox }) => (
          <>
            {sandbox && <Message tone="accent">{t('sandbox')}</Message>}
            <Facts of={factsOf(each, { issuer: issuer.name, customer: customer.name, t, c, label, format })} />
            <Lines of={each} caption={t('invoices')} />
            <div className="row">
              <a
                className="button"
                href={fileAddress(organization, `/billing/invoices/${id}`)}
                target="_blank"
                rel="noreferrer"
              >
                <ExternalLink size={16} aria-hidden />
                {t('asPage')}
              </a>
              <Button icon={<Download size={16} aria-hidden />} busy={pdf.isPending} onClick={() => pdf.mutate()}>
                {t('pdf')}
              </Button>
            </div>
            <Refused error={pdf.error} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

interface Saying {
  issuer: string | null
  customer: string
  t: ReturnType<typeof useWords<typeof words>>
  c: ReturnType<typeof useWords<typeof commonWords>>
  label: (value: string | null) => string
  format: ReturnType<typeof useFormat>
}

function factsOf(of: components['schemas']['Invoice'], { issuer, customer, t, c, label, format }: Saying) {
  const { status, createdAt, periodStart, periodEnd } = of
  const status_ = [
    c('status'),
    <Badge key="s" tone={TONES[status] ?? 'plain'}>
      {label(status)}
    </Badge>,
  ] as const
  const period =
    periodStart === null || periodEnd === null
      ? null
      : ([t('since'), t('period', { from: format.date(periodStart), to: format.date(periodEnd) })] as const)
  return [
    status_,
    [c('when'), <When key="w" at={createdAt} />] as const,
    period,
    issuer === null ? null : ([t('from'), issuer] as const),
    [t('for'), customer] as const,
  ]
}
