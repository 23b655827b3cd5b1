/** Usage, compared with what the plan and the add-ons allow. */
import { useRead } from '../../data/api.js'
import { Loaded } from '../../data/page.js'
import { Progress } from '../../ui/charts.js'
import { useFormat } from '../../ui/format.js'
import { useWords } from '../../ui/words.js'
import { useBillingLabel, useBundles, useQuantity } from './data.js'
import { words } from './words.js'

const WARN_PERCENT = 80

export function UsageTab() {
  const t = useWords(words)
  const format = useFormat()
  const label = useBillingLabel()
  const quantity = useQuantity()
  const usage = useRead(['billing', 'usage'], (api) => api.GET('/billing/usage'))
  const bundles = useBundles()
  const nameOf = (id: string) => bundles.data?.bundles.find((each) => each.id === id)?.name ?? id
  return (
    <Loaded of={usage}>
      {({ usage: kinds, periodEnd }) => (
        <>
          <p className="muted">{t('counted', { date: format.date(periodEnd) })}</p>
          <div className="grid">
            {kinds.map(({ type, used, limit, percent, raisedBy }) => (
              <section key={type} className="card stack-small">
                <h2>{label(type)}</h2>
                <span className="num">
                  {limit < 0
                    ? t('usedFree', { used: quantity(type, used) })
                    : t('usedOf', { used: quantity(type, used), limit: quantity(type, limit) })}
                </span>
                {limit >= 0 && (
                  <Progress
                    label={label(type)}
                    value={used}
                    max={Math.max(1, limit)}
                    fill={(percent ?? 0) >= 100 ? 'block' : (percent ?? 0) >= WARN_PERCENT ? 'warn' : 'accent'}
                  />
                )}
                {raisedBy.length > 0 && (bundles.data?.bundles.length ?? 0) > 0 && (
                  <span className="small muted">{t('raise', { name: raisedBy.map(nameOf).join(', ') })}</span>
                )}
              </section>
            ))}
          </div>
        </>
      )}
    </Loaded>
  )
}
