/** Add-ons: what each grants and costs, and the cost of another quantity before it is saved. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useCan } from '../../data/session.js'
import { Badge, Button } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message, Skeleton } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { type Interval, type Subscription, useBillingLabel, useBundles, useQuantity, useSubscription } from './data.js'
import { ChangeProblem } from './plan.js'
import { type Moment, MomentChoice, PreviewView } from './preview.js'
import { words } from './words.js'

type Bundle = components['schemas']['BillingBundle']

export function AddonsTab() {
  const t = useWords(words)
  const bundles = useBundles()
  const subscription = useSubscription()
  return (
    <Loaded of={bundles}>
      {({ bundles: all, selfService, comboDiscounts }) =>
        all.length === 0 ? (
          <Empty title={t('noBundles')}>{t('noBundlesNext')}</Empty>
        ) : (
          <Loaded of={subscription}>
            {({ subscription: held }) => (
              <>
                {held === null && <Message>{t('needsPlan')}</Message>}
                <Bundles of={all} nameOf={namesOf(all)} held={held} isSold={selfService} />
                <Combos of={comboDiscounts} nameOf={namesOf(all)} interval={held?.interval ?? 'monthly'} />
              </>
            )}
          </Loaded>
        )
      }
    </Loaded>
  )
}

const namesOf = (all: readonly Bundle[]) => (id: string) => all.find((each) => each.id === id)?.name ?? id

interface BundlesProps {
  of: readonly Bundle[]
  nameOf: (id: string) => string
  held: Subscription | null
  isSold: boolean
}

function Bundles({ of, nameOf, held, isSold }: BundlesProps) {
  const canManage = useCan('billing:manage')
  const [wanted, setWanted] = useState<Bundle | null>(null)
  return (
    <>
      <div className="plan-grid">
        {of.map((bundle) => (
          <BundleCard
            key={bundle.id}
            of={bundle}
            nameOf={nameOf}
            held={held}
            onWant={canManage && isSold && held !== null ? () => setWanted(bundle) : null}
          />
        ))}
      </div>
      {wanted !== null && held !== null && <SetCount of={wanted} held={held} onClose={() => setWanted(null)} />}
    </>
  )
}

const countOf = (held: Pick<Subscription, 'addons'> | null, id: string) =>
  held?.addons.find(({ bundleId }) => bundleId === id)?.quantity ?? 0

interface CardProps {
  of: Bundle
  nameOf: (id: string) => string
  held: Subscription | null
  onWant: (() => void) | null
}

function BundleCard({ of, nameOf, held, onWant }: CardProps) {
  const t = useWords(words)
  const format = useFormat()
  const label = useBillingLabel()
  const quantity = useQuantity()
  const interval = held?.interval ?? 'monthly'
  const count = countOf(held, of.id)
  const isSoldHere = held === null || of.tiers.includes(held.tier)
  const money = format.money(of.prices[interval])
  return (
    <section className="card stack-small plan-card" data-current={count > 0 || undefined}>
      <div className="row-between">
        <h2>{of.name}</h2>
        {count > 0 && <Badge tone="accent">{t('held', { count })}</Badge>}
      </div>
      <p className="strong">{t(interval === 'annual' ? 'perYear' : 'perMonth', { money })}</p>
      <ul className="plan-features" aria-label={t('include')}>
        {Object.entries(of.grants).map(([kind, value]) => (
          <li key={kind}>{`+ ${quantity(kind, value)} ${label(kind)}`}</li>
        ))}
        {of.features.map((feature) => (
          <li key={feature}>{label(feature)}</li>
        ))}
      </ul>
      {of.requires.length > 0 && (
        <p className="small muted">{t('needsBundle', { names: of.requires.map(nameOf).join(', ') })}</p>
      )}
      {!isSoldHere && (
        <p className="small muted">{`${t('notInTier')}. ${t('forTiers', { tiers: of.tiers.join(', ') })}`}</p>
      )}
      {onWant !== null && (isSoldHere || count > 0) && (
        <Button aria-label={t(count > 0 ? 'setCountOf' : 'addOf', { name: of.name })} onClick={onWant}>
          {t(count > 0 ? 'setCount' : 'add')}
        </Button>
      )}
    </section>
  )
}

function SetCount({ of, held, onClose }: { of: Bundle; held: Subscription; onClose: () => void }) {
  const t = useWords(words)
  const [text, setText] = useState(String(Math.max(1, countOf(held, of.id))))
  const [when, setWhen] = useState<Moment>('now')
  const atEnd = when === 'period_end'
  const quantity = /^\d{1,4}$/.test(text) ? Number(text) : null
  // What waits for the end of the period has counts of its own.
  const isSame = quantity === countOf(atEnd ? (held.pendingChange ?? held) : held, of.id)
  const path = { id: held.id }
  // As a list, so that a count of 0 removes it.
  const body = { addons: [{ bundleId: of.id, quantity: quantity ?? 0 }], ...(atEnd ? { when } : {}) }
  const preview = useRead(
    ['billing-preview', 'addon', held.id, body],
    (api) => api.POST('/billing/subscriptions/{id}/addons/preview', { params: { path }, body }),
    { enabled: quantity !== null && !isSame, keep: true },
  )
  const settle = {
    stale: ['billing', 'billing-preview', 'quotas', 'me'],
    done: t(atEnd ? 'scheduled' : 'addonsSet'),
    onDone: onClose,
  }
  const set = useWrite(
    (api, input: components['schemas']['AddonSetBody']) =>
      api.POST('/billing/subscriptions/{id}/addons', { params: { path }, body: input }),
    settle,
  )
  const shown = isSame ? undefined : preview.data
  return (
    <FormDialog
      kind="wide"
      title={of.name}
      subtitle={t('previewTitle')}
      submit={t('apply')}
      busy={set.isPending}
      disabled={shown === undefined || preview.isPlaceholderData}
      problem={<ChangeProblem error={set.error} onAgain={() => void preview.refetch()} />}
      onSubmit={() => shown !== undefined && set.mutate({ ...body, previewToken: shown.previewToken })}
      onClose={onClose}
    >
      <TextField
        label={t('count')}
        type="number"
        min={0}
        max={of.stackable ? of.max : 1}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
      />
      <MomentChoice value={when} onChange={setWhen} />
      {!isSame && <Refused error={preview.error} />}
      {!isSame && shown === undefined && preview.error === null && <Skeleton />}
      {shown !== undefined && preview.error === null && (
        <PreviewView of={{ ...shown, effectiveAt: held.currentPeriodEnd }} atEnd={atEnd} />
      )}
    </FormDialog>
  )
}

function Combos({
  of,
  nameOf,
  interval,
}: {
  of: readonly components['schemas']['BillingBundleComboDiscount'][]
  nameOf: (id: string) => string
  interval: Interval
}) {
  const t = useWords(words)
  const format = useFormat()
  if (of.length === 0) return null
  return (
    <section className="stack-small">
      <h2>{t('combos')}</h2>
      <ul className="stack-small">
        {of.map(({ id, name, bundleIds, savings }) => (
          <li key={id} className="row">
            <span className="strong">{name}</span>
            <span className="muted">{bundleIds.map(nameOf).join(' + ')}</span>
            <Badge tone="pass">{t('saves', { money: format.money(savings[interval]) })}</Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}
