import { isGone, useRead } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { useNames } from '../../data/names.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { type Violation, WhyCard } from '../../data/why.js'
import { commonWords } from '../../data/words.js'
import { Facts, Tags, When } from '../../ui/basics.js'
import { useWords } from '../../ui/words.js'
import type { Finding } from './finding.js'
import { words } from './words.js'

/** A rule says with a tag which control it stands for. */
const CONTROL = 'control:'

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
      <Context of={of} />
      <Facts
        of={[
          [t('firstSeen'), <When key="n" at={of.firstSeenAt} />],
          [t('since'), <When key="s" at={of.since} />],
          [t('lastSeen'), <When key="l" at={of.lastSeenAt} />],
          of.fixedAt === null ? null : [t('fixedAt'), <When key="f" at={of.fixedAt} />],
        ]}
      />
      <History of={of} />
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
function Context({ of }: { of: Finding }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const name = useNames([of.ownerId])
  const rule = useRead(['rules', 'one', of.ruleId], (api) =>
    api.GET('/compliance/rules/{id}', { params: { path: { id: of.ruleId } } }),
  )
  const tags = rule.data?.rule.tags ?? []
  const controls = tags.filter((tag) => tag.startsWith(CONTROL)).map((tag) => tag.slice(CONTROL.length))
  return (
    <>
      <Refused error={isGone(rule.error) ? null : rule.error} onRetry={() => void rule.refetch()} />
      <Facts
        of={[
          of.ownerId === null ? null : [t('byOwner'), name(of.ownerId)],
          of.policyIds.length === 0
            ? null
            : [
                t('policies'),
                <span key="p" className="row">
                  {of.policyIds.map((id) => (
                    <PolicyLink key={id} id={id} />
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
    </>
  )
}

function PolicyLink({ id }: { id: string }) {
  const policy = useRead(
    ['policies', 'one', id],
    (api) => api.GET('/compliance/policies/{id}', { params: { path: { id } } }),
    { aside: true },
  )
  return (
    <Go to="policies" search={{ sheet: id }}>
      {policy.data?.policy.name ?? id.slice(-8)}
    </Go>
  )
}

const HISTORY_SHOWN = 5

/** The checks of the record that the rule failed, the newest first. */
function History({ of }: { of: Finding }) {
  const t = useWords(words)
  const filters = { entityId: of.entityId, ruleId: of.ruleId }
  const query = { ...filters, limit: HISTORY_SHOWN }
  const checks = useRead(['checks', 'of', filters], (api) => api.GET('/compliance/audit', { params: { query } }))
  return (
    <section className="stack-small">
      <h3>{t('history')}</h3>
      <Loaded of={checks} lines={3}>
        {({ entries, pagination }) => (
          <>
            <ul className="plain-list">
              {entries.map(({ id, result, createdAt }) => (
                <li key={id} className="row">
                  <Mark value={result} />
                  <Go to="checks" search={{ entity: of.entityId, rule: of.ruleId, sheet: id }}>
                    <When at={createdAt} />
                  </Go>
                </li>
              ))}
            </ul>
            {pagination.total > entries.length && (
              <Go to="checks" search={{ entity: of.entityId, rule: of.ruleId }}>
                {t('allOfHistory', { count: pagination.total })}
              </Go>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
