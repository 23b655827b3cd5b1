/** What a rule requires, in the terms of the rule. */
import type { components } from '../../data/api.js'
import { Prose, showValue } from '../../ui/basics.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Rule = Pick<components['schemas']['Rule'], 'field' | 'operator' | 'value' | 'conditions' | 'conditionMode'>

export function Demand({ of }: { of: Rule }) {
  const t = useWords(words)
  const conditions = of.conditions ?? []
  if (conditions.length === 0) return <One field={of.field} operator={of.operator} value={of.value} />
  return (
    <div className="stack-small">
      {conditions.length > 1 && <span className="muted">{t(of.conditionMode)}</span>}
      <ul>
        {conditions.map((each) => (
          <li key={JSON.stringify(each)}>
            <One field={each.field} operator={each.operator} value={each.value} />{' '}
            {each.dependsOnRule !== undefined && (
              <span className="muted">
                <Prose text={t('depends', { rule: each.dependsOnRule })} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function One({ field, operator, value }: { field?: string | null; operator?: string | null; value?: unknown }) {
  return (
    <span>
      <code>{field ?? '–'}</code> <code>{operator ?? '–'}</code>{' '}
      {value == null ? null : <code>{showValue(value)}</code>}
    </span>
  )
}
