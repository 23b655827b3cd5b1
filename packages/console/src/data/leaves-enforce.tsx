/** The server wants a reason when a rule is no longer enforced. It is kept in the audit trail. */
import { AreaField } from '../ui/field.js'
import { defineWords, useWords } from '../ui/words.js'
import { issueOf } from './refused.js'

const words = defineWords({
  reason: ['Why it is no longer enforced', 'Warum sie nicht mehr durchgesetzt wird'],
  hint: ['It is kept in the audit trail.', 'Es steht im Prüfpfad.'],
})

/** A mode that is not given is `enforce`. */
export const leavesEnforce = (before: unknown, after: unknown): boolean =>
  (before ?? 'enforce') === 'enforce' && (after ?? 'enforce') !== 'enforce'

interface WhyLessProps {
  value: string
  error: Error | null
  onChange: (reason: string) => void
}

export function WhyLess({ value, error, onChange }: WhyLessProps) {
  const t = useWords(words)
  return (
    <AreaField
      label={t('reason')}
      hint={t('hint')}
      error={issueOf(error, 'reason')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
