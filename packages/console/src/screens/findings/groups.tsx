/** Findings counted by rule, entity, owner or control, highest count first. Each group leads to its findings. */
import type { ReactNode } from 'react'
import { type operations, useRead } from '../../data/api.js'
import { GoHere } from '../../data/go.js'
import { useNames } from '../../data/names.js'
import { Rows } from '../../data/rows.js'
import { commonWords, valueWords } from '../../data/words.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

type Facets = operations['compliance.finding.get-facets']['responses']['200']['content']['application/json']['data']
export type By = 'rule' | 'entity' | 'owner' | 'control'

interface Group {
  readonly id: string
  readonly name: string
  /** What the address of the list of its findings has. */
  readonly filter: Readonly<Record<string, string>>
  readonly target?: string
  readonly findings: number
}

const groupsOf = (by: By, facets: Facets, owner: (id: string | null) => string): readonly Group[] => {
  const { rules, entities, owners, controls } = facets
  if (by === 'rule')
    return rules.map(({ ruleId: id, ruleName: name, findings }) => ({ id, name, filter: { rule: id }, findings }))
  if (by === 'entity')
    return entities.map(({ entityId: id, entityName: name, target, findings }) => ({
      ...{ id, name, target, findings },
      filter: { entity: id },
    }))
  if (by === 'owner')
    return owners.map(({ ownerId, findings }) => {
      const id = ownerId ?? 'unowned'
      return { id, name: owner(ownerId), filter: { owner: id }, findings }
    })
  return controls.map(({ control: id, findings }) => ({ id, name: id, filter: { control: id }, findings }))
}

const HEADS = { rule: 'byRule', entity: 'byEntity', owner: 'byOwner', control: 'byControl' } as const

export function Groups({ filters, by }: { filters: Readonly<Record<string, string | undefined>>; by: By }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const format = useFormat()
  const facets = useRead(
    ['findings', 'facets', filters],
    (api) => api.GET('/compliance/findings/facets', { params: { query: filters as never } }),
    { keep: true },
  )
  const name = useNames(by === 'owner' ? (facets.data?.owners.map(({ ownerId }) => ownerId) ?? []) : [])
  const groups = (data: Facets) => groupsOf(by, data, (id) => (id === null ? t('unowned') : name(id)))
  const shown = facets.data === undefined ? 0 : groups(facets.data).reduce((sum, { findings }) => sum + findings, 0)
  // A rule can have several controls, or none, so their counts do not add up.
  const left = by === 'control' ? 0 : (facets.data?.total ?? 0) - shown
  const target = {
    id: 'target',
    head: c('target'),
    cell: (of: Group): ReactNode => label(of.target ?? ''),
  }
  return (
    <>
      <Rows
        of={facets}
        rows={groups}
        caption={t(HEADS[by])}
        rowKey={({ id }) => id}
        empty={
          by === 'control' ? (
            <Empty title={t('noControl')}>{t('noControlNext')}</Empty>
          ) : (
            <Empty title={t('none')}>{t('noneNext')}</Empty>
          )
        }
        columns={[
          {
            id: by,
            head: t(HEADS[by]),
            primary: true,
            cell: ({ name: text, filter }) => <GoHere patch={{ ...filter, group: 'none' }}>{text}</GoHere>,
          },
          ...(by === 'entity' ? [target] : []),
          { id: 'count', head: t('count'), end: true, cell: ({ findings }) => format.number(findings) },
        ]}
      />
      {left > 0 && <p className="field-hint">{t('otherGroups', { count: left })}</p>}
    </>
  )
}
