/** Pipeline runs and their results. */
import { useRead } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { commonWords } from '../../data/words.js'
import { Badge, When } from '../../ui/basics.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { lastDays, Status } from './data.js'
import { Commit } from './deployments.js'
import type { Asked } from './dora.js'
import { words } from './words.js'

export const EXECUTION_STATES = ['started', 'succeeded', 'failed', 'canceled', 'superseded'] as const

interface ListProps {
  asked: Asked
  status: (typeof EXECUTION_STATES)[number] | ''
  page: number
  onPage: (page: number) => void
}

export function ExecutionsTab({ asked, status, page, onPage }: ListProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  const { days, pipelineId } = asked
  const query = { ...sent({ pipelineId, status, ...lastDays(days) }), ...pageOf(page) }
  const list = useRead(
    ['reports', 'executions', query],
    (api) => api.GET('/reports/execution/list', { params: { query } }),
    { keep: true },
  )
  return (
    <Rows
      of={list}
      rows={({ executions }) => executions}
      total={({ pagination }) => pagination.total}
      page={page}
      onPage={onPage}
      caption={t('executions')}
      rowKey={({ pipelineId: id, executionId, attempt }) => `${id} ${executionId} ${attempt}`}
      empty={<Empty title={t('noExecution')}>{t('noDeploymentNext')}</Empty>}
      columns={[
        {
          id: 'name',
          head: t('pipeline'),
          primary: true,
          cell: ({ pipelineId: id, pipelineName, executionId }) => (
            <>
              <Go to={`pipelines/${id}`}>{pipelineName ?? id}</Go>
              <span className="small muted clip">{executionId}</span>
            </>
          ),
        },
        {
          id: 'status',
          head: c('status'),
          cell: ({ status: of, stale }) => (
            <span className="row">
              <Status of={of} />
              {stale && <Badge tone="warning">{t('stale')}</Badge>}
            </span>
          ),
        },
        {
          id: 'error',
          head: t('error'),
          cell: ({ errorMessage }) => <span className="clip">{errorMessage ?? '–'}</span>,
        },
        { id: 'commit', head: t('commit'), cell: ({ commitSha }) => <Commit of={commitSha} /> },
        { id: 'at', head: c('when'), cell: ({ startedAt }) => <When at={startedAt} /> },
        {
          id: 'took',
          head: t('took'),
          end: true,
          cell: ({ durationMs }) => (durationMs === null ? '–' : format.duration(durationMs)),
        },
      ]}
    />
  )
}
