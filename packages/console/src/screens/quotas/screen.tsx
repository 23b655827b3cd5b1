import { type components, useRead } from '../../data/api.js'
import { Loaded, Page } from '../../data/page.js'
import { QUOTA_KINDS, type QuotaKind } from '../../data/quota-kinds.js'
import { quotaWords } from '../../data/words-quota.js'
import { Badge } from '../../ui/basics.js'
import { Progress } from '../../ui/charts.js'
import { useFormat } from '../../ui/format.js'
import { useWords } from '../../ui/words.js'
import { reachedOn } from './pace.js'
import { words } from './words.js'

type Quota = components['schemas']['Quota']
const WARN = 0.8

export default function Quotas() {
  const t = useWords(words)
  const quota = useRead(['quotas'], (api) => api.GET('/quotas'))
  return (
    <Page title={t('title')} question={t('question')}>
      <Loaded of={quota}>{({ quota: of }) => <View of={of} />}</Loaded>
    </Page>
  )
}

function View({ of }: { of: Quota }) {
  const t = useWords(words)
  const format = useFormat()
  return (
    <>
      <div className="row">
        <Badge tone="accent">{t('tier', { name: of.tier })}</Badge>
        {of.pooled && <Badge>{t('pooled')}</Badge>}
        <span className="muted">{t('period', { date: format.date(of.periodEnd) })}</span>
      </div>
      <div className="grid">
        {QUOTA_KINDS.map((kind) => (
          <Card key={kind} kind={kind} of={of} />
        ))}
        <section className="card stack-small">
          <h2>{t('seats')}</h2>
          <span>
            {of.seats.limit < 0
              ? t('unlimited', { used: of.seats.used })
              : t('used', { used: of.seats.used, limit: of.seats.limit })}
          </span>
          {of.seats.limit > 0 && <Progress label={t('seats')} value={of.seats.used} max={of.seats.limit} />}
        </section>
      </div>
    </>
  )
}

function Card({ kind, of }: { kind: QuotaKind; of: Quota }) {
  const t = useWords(words)
  const q = useWords(quotaWords)
  const format = useFormat()
  const quota = of.quotas[kind]
  const show = (value: number) => (kind === 'storageBytes' ? format.bytes(value) : format.number(value))
  const share = quota.unlimited || quota.limit <= 0 ? 0 : quota.used / quota.limit
  const reached =
    quota.kind === 'metered' && !quota.unlimited
      ? reachedOn({ ...quota, periodStart: of.periodStart, periodEnd: of.periodEnd }, Date.now())
      : null
  return (
    <section className="card stack-small">
      <h2>{q(kind)}</h2>
      <span className="num">
        {quota.unlimited
          ? t('unlimited', { used: show(quota.used) })
          : t('used', { used: show(quota.used), limit: show(quota.limit) })}
      </span>
      {!quota.unlimited && (
        <Progress
          label={q(kind)}
          value={quota.used}
          max={Math.max(1, quota.limit)}
          fill={share >= 1 ? 'block' : share >= WARN ? 'warn' : 'accent'}
        />
      )}
      {!quota.unlimited && (
        <span className="small muted">
          {[
            quota.override !== null
              ? t('override', { override: show(quota.override) })
              : t('why', { baseline: show(quota.baseline) }),
            quota.addons > 0 ? t('addons', { addons: show(quota.addons) }) : null,
            quota.team === null ? null : t('team', { limit: show(quota.team.limit) }),
          ]
            .filter((each) => each !== null)
            .join(' · ')}
        </span>
      )}
      {reached !== null && <Badge tone="warning">{t('reached', { date: format.date(reached) })}</Badge>}
    </section>
  )
}
