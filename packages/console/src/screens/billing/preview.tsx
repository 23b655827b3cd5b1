/** What a change would cost and do, as computed by the server. The person confirms exactly this. */
import type { components } from '../../data/api.js'
import { Facts, Tags } from '../../ui/basics.js'
import { Segments } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { useBillingLabel, useQuantity } from './data.js'
import { Lines } from './lines.js'
import { words } from './words.js'

type Effects = Pick<
  components['schemas']['BillingSubscriptionPreview'],
  | 'overages'
  | 'cascaded'
  | 'lostCombos'
  | 'gainedCombos'
  | 'invoiceNow'
  | 'nextInvoice'
  | 'effectiveLimits'
  | 'features'
> &
  Partial<Pick<components['schemas']['BillingSubscriptionPreview'], 'pruned' | 'effectiveAt'>>

export type Moment = 'now' | 'period_end'

/** When a change takes effect. */
export function MomentChoice({ value, onChange }: { value: Moment; onChange: (value: Moment) => void }) {
  const t = useWords(words)
  return (
    <div>
      <Segments
        label={t('when')}
        value={value}
        options={[
          ['now', t('atOnce')],
          ['period_end', t('atEnd')],
        ]}
        onChange={(next) => onChange(next as Moment)}
      />
    </div>
  )
}

export function PreviewView({ of, atEnd = false }: { of: Effects; atEnd?: boolean }) {
  const t = useWords(words)
  const format = useFormat()
  const label = useBillingLabel()
  return (
    <>
      {of.effectiveAt !== undefined && atEnd && (
        <Message tone="accent">{t('effective', { date: format.date(of.effectiveAt) })}</Message>
      )}
      <Warnings of={of} />
      <section className="stack-small">
        <h3>{t('now')}</h3>
        {of.invoiceNow === null || of.invoiceNow.lines.length === 0 ? (
          <p className="muted">{t('nothingNow')}</p>
        ) : (
          <Lines of={of.invoiceNow} caption={t('now')} />
        )}
      </section>
      <section className="stack-small">
        <h3>{of.nextInvoice === null ? t('next') : t('nextDue', { date: format.date(of.nextInvoice.dueAt) })}</h3>
        {of.nextInvoice === null ? (
          <p className="muted">{t('noNext')}</p>
        ) : (
          <Lines of={of.nextInvoice} caption={t('next')} />
        )}
      </section>
      <details>
        <summary>{t('limits')}</summary>
        <Limits of={of.effectiveLimits} />
        <Tags of={of.features.map(label)} />
      </details>
    </>
  )
}

function Warnings({ of }: { of: Effects }) {
  const t = useWords(words)
  const label = useBillingLabel()
  const format = useFormat()
  const quantity = useQuantity()
  const gone = [...(of.pruned ?? []).map(({ bundleId, reason }) => `${bundleId}: ${reason}`), ...of.cascaded]
  return (
    <>
      {of.overages.length > 0 && (
        <Message tone="warning" title={t('over')} live>
          <ul>
            {of.overages.map(({ quotaType, currentUsage, targetCap }) => (
              <li key={quotaType}>
                {t('overLine', {
                  kind: label(quotaType),
                  used: quantity(quotaType, currentUsage),
                  cap: quantity(quotaType, targetCap),
                })}
              </li>
            ))}
          </ul>
        </Message>
      )}
      {gone.length > 0 && (
        <Message tone="warning" title={t('pruned')}>
          <ul>
            {gone.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Message>
      )}
      {[
        ...of.lostCombos.map((each) => ['lost', each] as const),
        ...of.gainedCombos.map((each) => ['gained', each] as const),
      ].map(([way, { comboId, name, creditCents }]) => (
        <Message key={`${way} ${comboId}`} tone={way === 'lost' ? 'warning' : 'pass'}>
          {t(way, { name, money: format.money(creditCents) })}
        </Message>
      ))}
    </>
  )
}

function Limits({ of }: { of: Effects['effectiveLimits'] }) {
  const label = useBillingLabel()
  const quantity = useQuantity()
  return <Facts of={Object.entries(of).map(([kind, value]) => [label(kind), quantity(kind, value)] as const)} />
}
