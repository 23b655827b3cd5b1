/** The plan: the subscription, planned changes, the other plans, and what a change would cost. */
import { ApiError } from '@plumbline/client'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useCan } from '../../data/session.js'
import { Badge, Button, Facts } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { Segments } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Message, Skeleton } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import {
  type Interval,
  type Plan,
  type PlanId,
  type Subscription,
  useBillingLabel,
  usePlans,
  useSubscription,
} from './data.js'
import { type Moment, MomentChoice, PreviewView } from './preview.js'
import { words } from './words.js'

export function PlanTab({ tier, isSold }: { tier: string; isSold: boolean }) {
  const plans = usePlans()
  const subscription = useSubscription()
  return (
    <Loaded of={subscription}>
      {({ subscription: held }) => (
        <>
          <Held of={held} tier={tier} isSold={isSold} />
          <Loaded of={plans}>{({ plans: all }) => <Plans of={all} held={held} isSold={isSold} />}</Loaded>
        </>
      )}
    </Loaded>
  )
}

function Held({ of, tier, isSold }: { of: Subscription | null; tier: string; isSold: boolean }) {
  const t = useWords(words)
  const format = useFormat()
  const label = useBillingLabel()
  if (of === null) return <Message title={t('noPlan')}>{t('noPlanNext', { tier })}</Message>
  return (
    <section className="card stack">
      <div className="row-between">
        <div className="row">
          <h2>{of.planName}</h2>
          <Badge tone={of.status === 'past_due' ? 'critical' : 'pass'}>{label(of.status)}</Badge>
        </div>
        {isSold && <HeldActions of={of} />}
      </div>
      <Facts
        of={[
          [t('interval'), label(of.interval)],
          [t('since'), t('period', { from: format.date(of.currentPeriodStart), to: format.date(of.currentPeriodEnd) })],
          [t('balance'), format.money(of.creditBalanceCents)],
        ]}
      />
    </section>
  )
}

function HeldActions({ of }: { of: Subscription }) {
  const t = useWords(words)
  const canManage = useCan('billing:manage')
  const [isEnding, setEnding] = useState(false)
  const portal = useWrite((api, _: null) => api.POST('/billing/portal'), {
    stale: [],
    onDone: ({ url }) => location.assign(url),
  })
  const cancel = useWrite(
    (api, id: string) => api.POST('/billing/subscriptions/{id}/cancel', { params: { path: { id } } }),
    { stale: ['billing'], done: t('cancelled'), onDone: () => setEnding(false) },
  )
  if (!canManage) return null
  const hasPortal = !(portal.error instanceof ApiError && portal.error.code === 'NOT_SUPPORTED')
  return (
    <div className="row">
      <Refused error={portal.error} />
      {hasPortal && (
        <Button busy={portal.isPending} onClick={() => portal.mutate(null)}>
          {t('portal')}
        </Button>
      )}
      {!of.cancelAtPeriodEnd && (
        <Button kind="danger" onClick={() => setEnding(true)}>
          {t('cancelPlan')}
        </Button>
      )}
      {isEnding && (
        <Deletion title={t('cancelPlan')} by={cancel} input={of.id} onClose={() => setEnding(false)}>
          {t('cancelSure')}
        </Deletion>
      )}
    </div>
  )
}

interface Wanted {
  readonly planId: PlanId
  readonly name: string
}

function Plans({ of, held, isSold }: { of: readonly Plan[]; held: Subscription | null; isSold: boolean }) {
  const t = useWords(words)
  const canManage = useCan('billing:manage')
  const [interval, setInterval] = useState<Interval>(held?.interval ?? 'monthly')
  const [wanted, setWanted] = useState<Wanted | null>(null)
  return (
    <section className="stack">
      <div>
        <Segments
          label={t('interval')}
          value={interval}
          options={[
            ['monthly', t('monthly')],
            ['annual', t('annual')],
          ]}
          onChange={(next) => setInterval(next as Interval)}
        />
      </div>
      <div className="plan-grid">
        {of.map((plan) => (
          <PlanCard
            key={plan.id}
            of={plan}
            held={held}
            interval={interval}
            onWant={canManage && isSold ? () => setWanted({ planId: plan.id, name: plan.name }) : null}
          />
        ))}
      </div>
      {wanted !== null && <Change wanted={wanted} interval={interval} held={held} onClose={() => setWanted(null)} />}
    </section>
  )
}

interface CardProps {
  of: Plan
  held: Subscription | null
  interval: Interval
  onWant: (() => void) | null
}

function PlanCard({ of, held, interval, onWant }: CardProps) {
  const t = useWords(words)
  const format = useFormat()
  const label = useBillingLabel()
  const isHeld = held?.planId === of.id
  const isSame = isHeld && held.interval === interval
  const cents = of.prices[interval]
  const price =
    cents === 0 ? t('free') : t(interval === 'annual' ? 'perYear' : 'perMonth', { money: format.money(cents) })
  return (
    <section className="card stack-small plan-card" data-current={isHeld || undefined}>
      <div className="row-between">
        <h2>{of.name}</h2>
        {isHeld && <Badge tone="accent">{t('current')}</Badge>}
      </div>
      <p className="plan-price">{price}</p>
      {of.trialDays > 0 && held === null && <Badge tone="pass">{t('trialDays', { days: of.trialDays })}</Badge>}
      <p className="muted">{of.description}</p>
      {of.features.length > 0 && (
        <ul className="plan-features" aria-label={t('include')}>
          {of.features.map((feature) => (
            <li key={feature}>{label(feature)}</li>
          ))}
        </ul>
      )}
      {onWant !== null && !isSame && (
        <Button onClick={onWant}>
          {held === null
            ? t('choose', { name: of.name })
            : isHeld
              ? t('changeInterval')
              : t('changeTo', { name: of.name })}
        </Button>
      )}
    </section>
  )
}

type PreviewBody = components['schemas']['BillingSubscriptionPreviewBody']

function Change({
  wanted,
  interval,
  held,
  onClose,
}: {
  wanted: Wanted
  interval: Interval
  held: Subscription | null
  onClose: () => void
}) {
  const t = useWords(words)
  const [when, setWhen] = useState<Moment | null>(null)
  const asked: PreviewBody = { planId: wanted.planId, interval, ...(when === null ? {} : { when }) }
  const preview = useRead(['billing-preview', asked], (api) => api.POST('/billing/preview', { body: asked }), {
    keep: true,
  })
  const settle = { stale: ['billing', 'billing-preview', 'quotas', 'me'], onDone: onClose }
  const subscribe = useWrite(
    (api, body: components['schemas']['BillingSubscriptionCreateBody']) => api.POST('/billing/subscriptions', { body }),
    { ...settle, done: t('subscribed') },
  )
  const change = useWrite(
    (api, { id, body }: { id: string; body: components['schemas']['BillingSubscriptionUpdateBody'] }) =>
      api.PUT('/billing/subscriptions/{id}', { params: { path: { id } }, body }),
    { ...settle, done: ({ subscription }) => t(subscription.pendingChange === null ? 'changed' : 'scheduled') },
  )
  const shown = preview.data?.preview
  const submit = () => {
    if (shown === undefined) return
    const { previewToken } = shown
    if (held === null) subscribe.mutate({ planId: wanted.planId, interval })
    else change.mutate({ id: held.id, body: { ...asked, ...(previewToken === null ? {} : { previewToken }) } })
  }
  return (
    <FormDialog
      kind="wide"
      title={held === null ? t('choose', { name: wanted.name }) : t('changeTo', { name: wanted.name })}
      subtitle={t('previewTitle')}
      submit={held === null ? t('subscribe') : t('apply')}
      busy={subscribe.isPending || change.isPending}
      disabled={shown === undefined || preview.isPlaceholderData}
      problem={<ChangeProblem error={change.error ?? subscribe.error} onAgain={() => void preview.refetch()} />}
      onSubmit={submit}
      onClose={onClose}
    >
      {held !== null && shown !== undefined && <MomentChoice value={when ?? shown.when} onChange={setWhen} />}
      <Refused error={preview.error} />
      {shown === undefined && preview.error === null && <Skeleton />}
      {shown !== undefined && <PreviewView of={shown} atEnd={shown.when === 'period_end'} />}
    </FormDialog>
  )
}

/** If the preview is stale, it is computed again, so that the person sees the new amount before confirming it. */
export function ChangeProblem({ error, onAgain }: { error: Error | null; onAgain: () => void }) {
  const isStale = error instanceof ApiError && error.code === 'PREVIEW_STALE'
  return isStale ? <Refused error={error} onRetry={onAgain} /> : <Refused error={error} />
}
