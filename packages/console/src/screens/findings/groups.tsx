/** Findings counted by rule or by entity, highest count first. Each group leads to its findings. */
import { useRead } from '../../data/api.js'
import { GoHere } from '../../data/go.js'
import { Rows } from '../../data/rows.js'
import { commonWords, valueWords } from '../../data/words.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

export function Groups({
  filters,
  by,
}: {
  filters: Readonly<Record<string, string | undefined>>
  by: 'rule' | 'entity'
}) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const format = useFormat()
  const facets = useRead(
    ['findings', 'facets', filters],
    (api) => api.GET('/compliance/findings/facets', { params: { query: filters as never } }),
    { keep: true },
  )
  const shown =
    facets.data?.[by === 'rule' ? 'rules' : 'entities'].reduce((sum, { findings }) => sum + findings, 0) ?? 0
  const left = (facets.data?.total ?? 0) - shown
  const more = left > 0 && <p className="field-hint">{t('otherGroups', { count: left })}</p>
  const empty = <Empty title={t('none')}>{t('noneNext')}</Empty>
  if (by === 'rule')
    return (
      <>
        <Rows
          of={facets}
          rows={({ rules }) => rules}
          caption={t('byRule')}
          rowKey={({ ruleId }) => ruleId}
          empty={empty}
          columns={[
            {
              id: 'rule',
              head: c('rule'),
              primary: true,
              cell: ({ ruleId, ruleName }) => <GoHere patch={{ rule: ruleId, group: 'none' }}>{ruleName}</GoHere>,
            },
            { id: 'count', head: t('count'), end: true, cell: ({ findings }) => format.number(findings) },
          ]}
        />
        {more}
      </>
    )
  return (
    <>
      <Rows
        of={facets}
        rows={({ entities }) => entities}
        caption={t('byEntity')}
        rowKey={({ entityId }) => entityId}
        empty={empty}
        columns={[
          {
            id: 'entity',
            head: c('entity'),
            primary: true,
            cell: ({ entityId, entityName }) => (
              <GoHere patch={{ entity: entityId, group: 'none' }}>{entityName}</GoHere>
            ),
          },
          { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
          { id: 'count', head: t('count'), end: true, cell: ({ findings }) => format.number(findings) },
        ]}
      />
      {more}
    </>
  )
}
