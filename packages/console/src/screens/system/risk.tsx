import { useRead } from '../../data/api.js'
import { pageOf, Rows } from '../../data/rows.js'
import { oneOf, pageNumber, useUrlState } from '../../data/url-state.js'
import { quotaWords } from '../../data/words-quota.js'
import { Badge } from '../../ui/basics.js'
import { FilterBar } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

const STATE = { threshold: oneOf(['50', '80', '90', '100'], '80'), page: pageNumber() }

export function Risk() {
  const t = useWords(words)
  const q = useWords(quotaWords)
  const format = useFormat()
  const [state, set] = useUrlState(STATE)
  const query = { threshold: Number(state.threshold), ...pageOf(state.page) }
  const list = useRead(['quotas', 'risk', query], (api) => api.GET('/quotas/at-risk', { params: { query } }), {
    keep: true,
  })
  return (
    <>
      <FilterBar
        filters={[
          {
            name: 'threshold',
            label: t('threshold'),
            value: state.threshold === '80' ? '' : state.threshold,
            all: t('percent', { count: 80 }),
            options: ['50', '90', '100'].map((each) => [each, t('percent', { count: Number(each) })] as const),
          },
        ]}
        onChange={(_, value) => set({ threshold: (value === '' ? '80' : value) as '80' })}
      />
      <Rows
        of={list}
        rows={({ atRisk }) => atRisk}
        total={({ total }) => total}
        page={state.page}
        onPage={(page) => set({ page })}
        caption={t('risk')}
        rowKey={({ orgId, type }) => `${orgId} ${type}`}
        empty={<Empty title={t('noRisk')}>{t('noRiskNext', { threshold: Number(state.threshold) })}</Empty>}
        columns={[
          { id: 'name', head: t('name'), primary: true, cell: ({ name, slug }) => `${name} (${slug})` },
          { id: 'tier', head: t('tier'), cell: ({ tier }) => tier },
          { id: 'quota', head: t('quota'), cell: ({ type }) => q(type) },
          {
            id: 'used',
            head: t('used'),
            end: true,
            cell: ({ type, used, limit }) =>
              type === 'storageBytes'
                ? `${format.bytes(used)} / ${format.bytes(limit)}`
                : `${format.number(used)} / ${format.number(limit)}`,
          },
          {
            id: 'share',
            head: t('share'),
            end: true,
            cell: ({ percent }) => (
              <Badge tone={percent >= 100 ? 'critical' : 'warning'}>{t('percent', { count: percent })}</Badge>
            ),
          },
        ]}
      />
    </>
  )
}
