import { Go } from '../../data/go.js'
import { type Violation, WhyCard } from '../../data/why.js'
import { Facts, When } from '../../ui/basics.js'
import { useWords } from '../../ui/words.js'
import type { Finding } from './finding.js'
import { words } from './words.js'

export function FindingView({ of }: { of: Finding }) {
  const t = useWords(words)
  const violation = {
    ...of,
    expectedValue: of.expected,
    actualValue: of.actual,
    policyId: null,
    suppressNotification: false,
  } as unknown as Violation
  const about = { entityType: of.target, entityId: of.entityId }
  return (
    <div className="stack">
      <WhyCard of={violation} {...(of.state === 'open' ? { about } : {})} />
      <Facts
        of={[
          [t('since'), <When key="s" at={of.since} />],
          [t('lastSeen'), <When key="l" at={of.lastSeenAt} />],
          of.fixedAt === null ? null : [t('fixedAt'), <When key="f" at={of.fixedAt} />],
        ]}
      />
      <div className="row">
        <Go className="button" to={`${of.target}s/${of.entityId}`}>
          {t('goEntity')}
        </Go>
        <Go className="button" to="checks" search={{ entity: of.entityId, sheet: of.checkId }}>
          {t('goCheck')}
        </Go>
        {of.exemptionId !== null && (
          <Go className="button" to="exemptions" search={{ entity: of.entityId, sheet: of.exemptionId }}>
            {t('goExemption')}
          </Go>
        )}
      </div>
    </div>
  )
}
