/** What exemptions waive in a check. Each leads to its exemption. */
import { When } from '../ui/basics.js'
import { Message } from '../ui/states.js'
import { useWords } from '../ui/words.js'
import type { components } from './api.js'
import { Go } from './go.js'
import { checkWords } from './words-checks.js'

export function Waived({ of }: { of: readonly components['schemas']['Exempted'][] | undefined }) {
  const t = useWords(checkWords)
  if (of === undefined || of.length === 0) return null
  return (
    <section className="stack-small">
      <h2>{t('exempted')}</h2>
      {of.map(({ exemptionId, reason, expiresAt, violation }) => (
        <Message key={`${exemptionId} ${violation.ruleId}`} tone="exempt" title={violation.ruleName}>
          <p>{reason}</p>
          {expiresAt !== null && (
            <p className="small">
              {t('until')} <When at={expiresAt} />
            </p>
          )}
          <Go to="exemptions" search={{ sheet: exemptionId }}>
            {t('goExemption')}
          </Go>
        </Message>
      ))}
    </section>
  )
}
