/** What a policy would change for the stored records, against what is in force or against another version. */
import { type components, useRead } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded } from '../../data/page.js'
import { useUrlState } from '../../data/url-state.js'
import { Figures } from '../../ui/charts.js'
import { SelectField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { useWords } from '../../ui/words.js'
import { uiWords } from '../../ui/words-ui.js'
import { STATE, useVersions } from './state.js'
import { words } from './words.js'

type Policy = components['schemas']['Policy']

export function Effect({ of }: { of: Policy }) {
  const [state] = useUrlState(STATE)
  const { id } = of
  // The sheet of the version that was compared with leaves nothing to compare.
  const against = state.against === id ? '' : state.against
  const diff = useRead(['policies', 'diff', id, against], (api, signal) =>
    api.GET('/compliance/policies/{id}/diff', {
      params: { path: { id }, query: against === '' ? {} : { against } },
      signal,
    }),
  )
  return (
    <div className="stack-small">
      <Against of={of} value={against} />
      <Loaded of={diff} lines={3}>
        {(found) => <Changes of={found} />}
      </Loaded>
    </div>
  )
}

function Against({ of, value }: { of: Policy; value: string }) {
  const t = useWords(words)
  const u = useWords(uiWords)
  const [state, set] = useUrlState(STATE)
  const { versions, pagination } = useVersions(of.id, 1).data ?? { versions: [], pagination: { total: 0 } }
  const left = pagination.total - versions.length
  const others = versions
    .filter(({ id }) => id !== of.id)
    .map(({ id, version }) => [id, t('withVersion', { version })] as const)
  const isListed = value === '' || others.some(([id]) => id === value)
  return (
    <SelectField
      label={t('against')}
      hint={left > 0 ? u('leftOut', { count: left }) : undefined}
      value={value}
      options={[['', t('inForce')], ...others, ...(isListed ? [] : [[value, value] as const])]}
      onChange={(against) => set({ against, page: state.page })}
    />
  )
}

interface Found {
  readonly addedRules: readonly components['schemas']['PolicyAddedRule'][]
  readonly removedRules: readonly components['schemas']['PolicyAddedRule'][]
  readonly total: number
  readonly newlyFailing: components['schemas']['PolicyNewlyFailing']
  readonly newlyPassing: components['schemas']['PolicyNewlyPassing']
  readonly stillFailing: number
  readonly stillPassing: number
  readonly newlyBlocked: number
  readonly noLongerBlocked: number
}

function Changes({ of }: { of: Found }) {
  const t = useWords(words)
  const format = useFormat()
  return (
    <>
      <RulesOf title={t('addedRules')} of={of.addedRules} />
      <RulesOf title={t('removedRules')} of={of.removedRules} />
      {of.addedRules.length + of.removedRules.length === 0 && <p className="muted">{t('sameRules')}</p>}
      <div className="grid">
        <Figures label={t('newlyFailing')} value={format.number(of.newlyFailing.total)} />
        <Figures label={t('newlyPassing')} value={format.number(of.newlyPassing.total)} />
        <Figures label={t('stillFailing')} value={format.number(of.stillFailing)} />
        <Figures label={t('stillPassing')} value={format.number(of.stillPassing)} />
        <Figures label={t('newlyBlocked')} value={format.number(of.newlyBlocked)} />
        <Figures label={t('noLongerBlocked')} value={format.number(of.noLongerBlocked)} />
      </div>
      <p className="muted">{t('total', { count: of.total })}</p>
      <Moved title={t('newlyFailing')} of={of.newlyFailing} />
      <Moved title={t('newlyPassing')} of={of.newlyPassing} />
    </>
  )
}

function RulesOf({ title, of }: { title: string; of: Found['addedRules'] }) {
  if (of.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul className="plain-list">
        {of.map(({ id, name }) => (
          <li key={id}>
            <Go to={`rules/${id}`}>{name}</Go>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The records that the server names, and how many more there are. */
function Moved({ title, of: { total, samples } }: { title: string; of: Found['newlyFailing'] }) {
  const u = useWords(uiWords)
  if (total === 0) return null
  return (
    <section className="stack-small">
      <h3>{title}</h3>
      {samples.map(({ entityType, entityId, entityName, after, rules }) => (
        <article key={entityId}>
          <div className="row">
            <Go to={`${entityType}s/${entityId}`}>{entityName}</Go>
            <Mark value={after} />
          </div>
          <p className="small muted">{rules.join(', ')}</p>
        </article>
      ))}
      {total > samples.length && <p className="field-hint">{u('leftOut', { count: total - samples.length })}</p>}
    </section>
  )
}
