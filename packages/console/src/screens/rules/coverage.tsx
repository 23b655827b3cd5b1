/** How many records pass a rule, and its open findings, as of the last check of each record. */
import { type operations, useRead } from '../../data/api.js'
import { Go } from '../../data/go.js'
import type { FactEntry } from '../../ui/basics.js'
import type { Column } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Answer = operations['compliance.rule-coverage.get']['responses']['200']['content']['application/json']['data']
type Covered = Answer['rules'][number] & { readonly records: number }

/** @returns the coverage of a rule by its id; undefined while it is not known. */
export function useCoverage(enabled = true): (ruleId: string) => Covered | undefined {
  const coverage = useRead(['findings', 'coverage'], (api) => api.GET('/compliance/rules/coverage'), {
    enabled,
    aside: true,
  })
  const { data } = coverage
  const byId = new Map(data?.rules.map((rule) => [rule.ruleId, { ...rule, records: data.records[rule.target] }]))
  return (ruleId) => byId.get(ruleId)
}

/** The columns of a list of rules. */
export function useCoverageColumns<R extends { readonly id: string }>(isShown = true): readonly Column<R>[] {
  const t = useWords(words)
  const of = useCoverage(isShown)
  if (!isShown) return []
  return [
    { id: 'findings', head: t('findings'), end: true, cell: ({ id }) => <OpenFindings of={of(id)} /> },
    { id: 'coverage', head: t('coverage'), cell: ({ id }) => <Coverage of={of(id)} /> },
  ]
}

export function useCoverageFacts(ruleId: string): readonly (FactEntry | null)[] {
  const t = useWords(words)
  const of = useCoverage()(ruleId)
  if (of === undefined) return []
  return [
    [t('findings'), <OpenFindings key="f" of={of} />],
    [t('coverage'), <Coverage key="c" of={of} />],
  ]
}

function OpenFindings({ of }: { of: Covered | undefined }) {
  const t = useWords(words)
  if (of === undefined) return null
  return (
    <Go
      to="findings"
      search={{ rule: of.ruleId, state: 'open' }}
      label={t('openFindings', { count: of.open, name: of.ruleName })}
    >
      {String(of.open)}
    </Go>
  )
}

/** A rule that is not in force, or only observes, leaves no findings, so nothing says who passes it. */
function Coverage({ of }: { of: Covered | undefined }) {
  const t = useWords(words)
  if (of === undefined) return null
  const { mode, open, requested, exempted, records } = of
  if (mode === null || mode === 'observe') return <span className="muted">–</span>
  const pass = Math.max(0, records - open - requested - exempted)
  return (
    <>
      <span className="nowrap">{t('passes', { pass, total: records })}</span>
      {exempted > 0 && <span className="muted"> · {t('exempted', { count: exempted })}</span>}
    </>
  )
}
