/**
 * A refusal by the server. If rules block the change, shows each rule with what it expected and found, and the check
 * that recorded it.
 */
import { ApiError } from '@plumbline/client'
import { defineWords, useWords } from '../ui/words.js'
import { Go } from './go.js'
import { Refused } from './refused.js'
import { type Violation, WhyCard } from './why.js'

const words = defineWords({ check: ['See the recorded check', 'Die aufgezeichnete Prüfung ansehen'] })

interface Verdict {
  readonly violations?: readonly Violation[]
  readonly checkId?: string
}

export function Blocked({ error }: { error: Error | null }) {
  const t = useWords(words)
  const isByRules = error instanceof ApiError && error.code === 'COMPLIANCE_VIOLATION'
  const { violations = [], checkId }: Verdict = isByRules ? error.details : {}
  return (
    <>
      <Refused error={error} />
      {violations.map((each) => (
        <WhyCard key={each.ruleId} of={each} />
      ))}
      {checkId !== undefined && (
        <Go to="checks" search={{ sheet: checkId }}>
          {t('check')}
        </Go>
      )}
    </>
  )
}
