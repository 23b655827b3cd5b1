/** What is pending: a planned change, a cancellation, a failed payment. Shown above every part of billing. */
import { useWrite } from '../../data/api.js'
import { Refused } from '../../data/refused.js'
import { useCan } from '../../data/session.js'
import { Button } from '../../ui/basics.js'
import { useFormat } from '../../ui/format.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { type Subscription, useBillingLabel, usePlans } from './data.js'
import { words } from './words.js'

export function Waits({ of }: { of: Subscription }) {
  const t = useWords(words)
  const format = useFormat()
  return (
    <>
      {of.status === 'past_due' && (
        <Message
          tone="critical"
          title={t('pastDue')}
          actions={
            of.paymentUrl !== null && (
              <a className="button main-link" href={of.paymentUrl} rel="noreferrer">
                {t('pay')}
              </a>
            )
          }
        >
          {t('pastDueNext', { date: format.date(of.graceEndsAt ?? of.currentPeriodEnd) })}
        </Message>
      )}
      {of.status !== 'past_due' && of.paymentUrl !== null && (
        <Message
          tone="warning"
          title={t('waits')}
          actions={
            <a className="button main-link" href={of.paymentUrl} rel="noreferrer">
              {t('pay')}
            </a>
          }
        />
      )}
      {of.cancelAtPeriodEnd && <Ending of={of} />}
      {of.pendingChange !== null && <Pending of={of} change={of.pendingChange} />}
    </>
  )
}

function Ending({ of }: { of: Subscription }) {
  const t = useWords(words)
  const format = useFormat()
  const canManage = useCan('billing:manage')
  const keep = useWrite(
    (api, id: string) => api.POST('/billing/subscriptions/{id}/reactivate', { params: { path: { id } } }),
    { stale: ['billing'], done: t('reactivated') },
  )
  return (
    <Message
      tone="warning"
      title={t('ends', { date: format.date(of.currentPeriodEnd) })}
      actions={
        canManage && (
          <Button busy={keep.isPending} onClick={() => keep.mutate(of.id)}>
            {t('reactivate')}
          </Button>
        )
      }
    >
      {t('endsNext')}
      <Refused error={keep.error} />
    </Message>
  )
}

function Pending({ of, change }: { of: Subscription; change: NonNullable<Subscription['pendingChange']> }) {
  const t = useWords(words)
  const format = useFormat()
  const label = useBillingLabel()
  const canManage = useCan('billing:manage')
  const plans = usePlans()
  const drop = useWrite(
    (api, id: string) => api.DELETE('/billing/subscriptions/{id}/pending-change', { params: { path: { id } } }),
    { stale: ['billing'], done: t('dropped') },
  )
  return (
    <Message
      tone="accent"
      title={t('waits')}
      actions={
        canManage &&
        change.waitsFor === 'period_end' && (
          <Button busy={drop.isPending} onClick={() => drop.mutate(of.id)}>
            {t('drop')}
          </Button>
        )
      }
    >
      <p>
        {t('waitsFor', {
          plan: plans.data?.plans.find(({ id }) => id === change.planId)?.name ?? change.planId,
          interval: label(change.interval),
          date: format.date(change.effectiveAt),
        })}
      </p>
      {change.waitsFor === 'provider' && <p>{t('waitsProvider')}</p>}
      <Refused error={drop.error} />
    </Message>
  )
}
