/** The history of the subscription, newest first. */
import { useRead } from '../../data/api.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { commonWords } from '../../data/words.js'
import { When } from '../../ui/basics.js'
import { FilterBar } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { useBillingLabel } from './data.js'
import { words } from './words.js'

export const EVENT_TYPES = [
  'subscription_created',
  'subscription_updated',
  'subscription_canceled',
  'subscription_reactivated',
  'plan_changed',
  'interval_changed',
  'payment_succeeded',
  'payment_failed',
  'discount_applied',
  'discount_removed',
  'credit_applied',
  'credit_consumed',
  'credit_exhausted',
  'combo_expired',
  'promotion_granted',
  'promotion_clawback',
] as const

interface TabProps {
  type: (typeof EVENT_TYPES)[number] | ''
  page: number
  onChange: (patch: { type?: (typeof EVENT_TYPES)[number] | ''; page?: number }) => void
}

export function EventsTab({ type, page, onChange }: TabProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useBillingLabel()
  const details = useDetails()
  const query = sent({ type, ...pageOf(page), sortBy: 'createdAt' as const, sortOrder: 'desc' as const })
  const list = useRead(['billing', 'events', query], (api) => api.GET('/billing/events', { params: { query } }), {
    keep: true,
  })
  return (
    <>
      <FilterBar
        onChange={(_, value) => onChange({ type: value as typeof type })}
        filters={[{ name: 'type', label: t('event'), value: type, options: optionsOf(EVENT_TYPES, label) }]}
      />
      <Rows
        of={list}
        rows={({ events }) => events}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={(next) => onChange({ page: next })}
        caption={t('events')}
        rowKey={({ id }) => id}
        onClear={type === '' ? undefined : () => onChange({ type: '' })}
        empty={<Empty title={t('noEvent')}>{t('noEventNext')}</Empty>}
        columns={[
          { id: 'type', head: t('event'), primary: true, cell: ({ type: of }) => label(of) },
          { id: 'at', head: c('when'), cell: ({ createdAt }) => <When at={createdAt} /> },
          { id: 'details', head: t('details'), cell: ({ details: of }) => <span className="clip">{details(of)}</span> },
        ]}
      />
    </>
  )
}

/** Formats amounts as money, and plan and interval in words. Ids are left out, because other columns show them. */
function useDetails(): (of: Readonly<Record<string, unknown>>) => string {
  const format = useFormat()
  const label = useBillingLabel()
  return (of) =>
    Object.entries(of)
      .filter(([name, value]) => (!name.endsWith('Id') || name === 'planId' ? value !== null && value !== 0 : false))
      .map(([name, value]) => {
        if (name.endsWith('Cents') && typeof value === 'number') return format.money(value)
        return typeof value === 'string' ? label(value) : JSON.stringify(value)
      })
      .join(' · ')
}
