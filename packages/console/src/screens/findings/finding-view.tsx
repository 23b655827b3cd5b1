import type { UseQueryResult } from '@tanstack/react-query'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { useNames } from '../../data/names.js'
import { Loaded } from '../../data/page.js'
import { type Violation, WhyCard } from '../../data/why.js'
import { commonWords } from '../../data/words.js'
import { Facts, Tags, When } from '../../ui/basics.js'
import { useWords } from '../../ui/words.js'
import type { Finding, OpenedFinding } from './finding.js'
import { words } from './words.js'

/** A rule says with a tag which control it stands for. */
const CONTROL = 'control:'

interface FindingViewProps {
  of: Finding
  /** The rest of it, which is read when it is opened. */
  opened: UseQueryResult<OpenedFinding, Error>
}

export function FindingView({ of, opened }: FindingViewProps) {
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
      <Loaded of={opened} lines={3}>
        {(rest) => <Context of={of} rest={rest} />}
      </Loaded>
      <Facts
        of={[
          [t('firstSeen'), <When key="n" at={of.firstSeenAt} />],
          [t('since'), <When key="s" at={of.since} />],
          [t('lastSeen'), <When key="l" at={of.lastSeenAt} />],
          of.fixedAt === null ? null : [t('fixedAt'), <When key="f" at={of.fixedAt} />],
        ]}
      />
      {opened.data !== undefined && <History of={of} checks={opened.data.checks} />}
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

/** Where the rule comes from: its policies and controls, and who owns the record. */
function Context({ of, rest: { tags, policies } }: { of: Finding; rest: OpenedFinding }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const name = useNames([of.ownerId])
  const controls = tags.filter((tag) => tag.startsWith(CONTROL)).map((tag) => tag.slice(CONTROL.length))
  const policyName = new Map(policies.map((policy) => [policy.id, policy.name]))
  return (
    <Facts
      of={[
        of.ownerId === null ? null : [t('byOwner'), name(of.ownerId)],
        of.policyIds.length === 0
          ? null
          : [
              t('policies'),
              <span key="p" className="row">
                {of.policyIds.map((id) => (
                  <Go key={id} to="policies" search={{ sheet: id }}>
                    {policyName.get(id) ?? id.slice(-8)}
                  </Go>
                ))}
              </span>,
            ],
        controls.length === 0
          ? null
          : [
              t('byControl'),
              <span key="c" className="row">
                {controls.map((control) => (
                  <Go key={control} to="findings" search={{ control }}>
                    {control}
                  </Go>
                ))}
              </span>,
            ],
        tags.length === 0 ? null : [c('tags'), <Tags key="t" of={tags} />],
      ]}
    />
  )
}

/** The checks of the record that the rule failed, the newest first. */
function History({ of, checks: { latest, total } }: { of: Finding; checks: OpenedFinding['checks'] }) {
  const t = useWords(words)
  return (
    <section className="stack-small">
      <h3>{t('history')}</h3>
      <ul className="plain-list">
        {latest.map(({ id, result, createdAt }) => (
          <li key={id} className="row">
            <Mark value={result} />
            <Go to="checks" search={{ entity: of.entityId, rule: of.ruleId, sheet: id }}>
              <When at={createdAt} />
            </Go>
          </li>
        ))}
      </ul>
      {total > latest.length && (
        <Go to="checks" search={{ entity: of.entityId, rule: of.ruleId }}>
          {t('allOfHistory', { count: total })}
        </Go>
      )}
    </section>
  )
}
