/** The differences between two versions of a rule, one below the other. */
import { defineWords, useWords } from '../ui/words.js'
import type { Difference } from './rule-diff.js'
import { commonWords } from './words.js'

const words = defineWords({
  before: ['Before', 'Vorher'],
  now: ['Now', 'Jetzt'],
  same: ['Nothing differs.', 'Nichts unterscheidet sich.'],
})

export function RuleChanges({ of }: { of: readonly Difference[] }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  if (of.length === 0) return <p className="muted">{t('same')}</p>
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">{c('name')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('now')}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ name, before, after }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="gone">{JSON.stringify(before ?? null)}</td>
            <td className="come">{JSON.stringify(after ?? null)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
