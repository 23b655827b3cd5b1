/** One check in full: its verdict, every violated rule, what was exempted, and what was checked. */
import type { components } from '../../data/api.js'
import { CheckAgain } from '../../data/check-again.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { useNames } from '../../data/names.js'
import { Waived } from '../../data/waived.js'
import { WhyCard } from '../../data/why.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Facts, When } from '../../ui/basics.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

export function CheckView({ of }: { of: components['schemas']['CheckEntry'] }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const about = { entityType: of.target, entityId: of.entityId }
  const name = useNames([of.userId])
  return (
    <div className="stack">
      <div className="row">
        <Mark value={of.result} />
        <span>{of.violations.length === 0 ? t('allPassed') : t('violations', { count: of.violations.length })}</span>
        {of.entityId !== null && <Go to={`${of.target}s/${of.entityId}`}>{t('goEntity')}</Go>}
        {of.entityId === null && of.entityName !== null && (
          <Go to={`${of.target}s`} search={{ q: of.entityName }}>
            {t('storedAs', { name: of.entityName })}
          </Go>
        )}
        {of.entityId !== null && <CheckAgain entityType={of.target} entityId={of.entityId} />}
      </div>
      {of.violations.length > 0 && (
        <section className="stack-small">
          <h2>{t('broken')}</h2>
          {of.violations.map((each) => (
            <WhyCard key={`${each.ruleId} ${each.field}`} of={each} about={about} />
          ))}
        </section>
      )}
      {of.observed.length > 0 && (
        <section className="stack-small">
          <h2>{t('observed')}</h2>
          {of.observed.map((each) => (
            <WhyCard key={`${each.ruleId} ${each.field}`} of={each} observed />
          ))}
        </section>
      )}
      <Waived of={of.exempted ?? undefined} />
      <Facts
        of={[
          [c('target'), label(of.target)],
          [c('action'), label(of.action)],
          [c('when'), <When key="w" at={of.createdAt} />],
          [c('who'), of.userId === null ? t('system') : name(of.userId)],
          [t('rulesCounted'), String(of.ruleCount)],
          [t('skipped'), String(of.rulesSkipped)],
          of.scanId === null
            ? null
            : [
                label('scan'),
                <Go key="s" to={`scans/${of.scanId}`}>
                  {of.scanId}
                </Go>,
              ],
          [t('hash'), <code key="h">{of.attributesHash}</code>],
          [t('checkId'), <code key="i">{of.id}</code>],
        ]}
      />
    </div>
  )
}
