/** Checks of one entity or of one scan, as other screens show them. Each leads to its verdict in the log. */

import { When } from '../ui/basics.js'
import { Empty } from '../ui/states.js'
import type { Column } from '../ui/table.js'
import { useLabel, useWords } from '../ui/words.js'
import { type components, useRead } from './api.js'
import { Go } from './go.js'
import { Mark } from './marks.js'
import { Rows } from './rows.js'
import { commonWords, valueWords } from './words.js'
import { checkWords } from './words-checks.js'

type Check = components['schemas']['CheckEntry']

/** The names of the rules that were violated, in one line. */
function RuleNames({ of }: { of: Pick<Check, 'violations'> }) {
  const names = of.violations.map(({ ruleName }) => ruleName).join(', ')
  if (names === '') return <span className="muted">–</span>
  return (
    <span className="clip" title={names}>
      {names}
    </span>
  )
}

export function useCheckColumns(): Readonly<Record<'result' | 'rules' | 'action', Column<Check>>> {
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  return {
    result: { id: 'result', head: c('result'), cell: ({ result }) => <Mark value={result} /> },
    rules: { id: 'rules', head: c('rules'), cell: (check) => <RuleNames of={check} /> },
    action: { id: 'action', head: c('action'), cell: ({ action }) => label(action) },
  }
}

/** The newest ones. Below is how many there are, and the way to all of them. */
const SHOWN = 20

export function ChecksOf({ entityId }: { entityId: string }) {
  const t = useWords(checkWords)
  const c = useWords(commonWords)
  const { result, action, rules } = useCheckColumns()
  const query = { entityId, limit: SHOWN }
  const checks = useRead(['checks', 'of', entityId], (api) => api.GET('/compliance/audit', { params: { query } }))
  const when: Column<Check> = {
    id: 'at',
    head: c('when'),
    primary: true,
    cell: ({ id, createdAt }) => (
      <Go to="checks" search={{ entity: entityId, sheet: id }}>
        <When at={createdAt} />
      </Go>
    ),
  }
  return (
    <>
      <Rows
        of={checks}
        rows={({ entries }) => entries}
        caption={t('checks')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noChecks')} />}
        columns={[when, result, action, rules]}
      />
      <Go to="checks" search={{ entity: entityId }}>
        {checks.data === undefined ? t('allChecks') : t('allOf', { count: checks.data.pagination.total })}
      </Go>
    </>
  )
}
