/** Refused sign-ins, each with the reason, which the person at the sign-in does not see. */
import { useRead } from '../../data/api.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Prose, When } from '../../ui/basics.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export function RefusedSignIns({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const canRead = useCan('audit:read')
  const query = { ...pageOf(page), action: 'identity.sso.refused', sortOrder: 'desc' as const }
  const list = useRead(['sign-on', 'refused', page], (api) => api.GET('/audit', { params: { query } }), {
    enabled: canRead,
    keep: true,
  })
  if (!canRead)
    return (
      <p className="muted">
        <Prose text={t('noAudit')} />
      </p>
    )
  return (
    <Rows
      of={list}
      rows={({ events }) => events}
      total={({ pagination }) => pagination.total}
      page={page}
      onPage={onPage}
      caption={t('refused')}
      rowKey={({ id }) => id}
      empty={<Empty title={t('noRefusal')}>{t('noRefusalNext')}</Empty>}
      columns={[
        {
          id: 'why',
          head: c('reason'),
          primary: true,
          cell: ({ details }) => String((details as Record<string, unknown> | null)?.['reason'] ?? '–'),
        },
        { id: 'who', head: c('who'), cell: ({ actorEmail, ip }) => actorEmail ?? ip ?? '–' },
        { id: 'at', head: c('when'), cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  )
}
