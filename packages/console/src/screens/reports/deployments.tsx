/** Deployments and what happened to each: marks, incidents, redeploys. Marks can be set by hand. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { Refused } from '../../data/refused.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { AreaField, Segments } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { lastDays, Status, useReportLabel } from './data.js'
import type { Asked } from './dora.js'
import { words } from './words.js'

type Deployment = components['schemas']['Deployment']

interface ListProps {
  asked: Asked
  page: number
  onPage: (page: number) => void
}

export function DeploymentsTab({ asked, page, onPage }: ListProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [marked, setMarked] = useState<Deployment | null>(null)
  const { days, ...where } = asked
  const query = { ...sent({ ...where, ...lastDays(days) }), ...pageOf(page) }
  const list = useRead(
    ['reports', 'deployments', query],
    (api) => api.GET('/reports/deployments', { params: { query } }),
    { keep: true },
  )
  return (
    <>
      <Rows
        of={list}
        rows={({ deployments }) => deployments}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={onPage}
        caption={t('deployments')}
        rowKey={({ pipelineId, executionId, environment, attempt }) =>
          `${pipelineId} ${executionId} ${environment} ${attempt}`
        }
        empty={<Empty title={t('noDeployment')}>{t('noDeploymentNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: t('pipeline'),
            primary: true,
            cell: ({ pipelineId, pipelineName, executionId }) => (
              <>
                <Go to={`pipelines/${pipelineId}`}>{pipelineName ?? pipelineId}</Go>
                <span className="small muted clip">{executionId}</span>
              </>
            ),
          },
          { id: 'environment', head: t('environment'), cell: ({ environment }) => environment },
          { id: 'status', head: c('status'), cell: ({ status }) => <Status of={status} /> },
          { id: 'marks', head: t('marks'), cell: (each) => <Marks of={each} /> },
          { id: 'commit', head: t('commit'), cell: ({ commitSha }) => <Commit of={commitSha} /> },
          {
            id: 'at',
            head: t('finished'),
            cell: ({ completedAt, startedAt }) => <When at={completedAt ?? startedAt} />,
          },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (each) => (
              <Button
                aria-label={t('markOf', { name: `${each.executionId} ${each.environment}` })}
                onClick={() => setMarked(each)}
              >
                {t('mark')}
              </Button>
            ),
          },
        ]}
      />
      {marked !== null && <MarkDialog of={marked} onClose={() => setMarked(null)} />}
    </>
  )
}

export const Commit = ({ of }: { of: string | null }) =>
  of === null ? (
    <span className="muted">–</span>
  ) : (
    <code className="nowrap" title={of}>
      {of.slice(0, 8)}
    </code>
  )

function Marks({ of }: { of: Deployment }) {
  const t = useWords(words)
  const label = useReportLabel()
  const format = useFormat()
  const { failedLater, restoredAt, redeploy, rework, incidents } = of
  return (
    <span className="row">
      {failedLater !== null && <Badge tone="error">{`${t('failedLater')} ${label(failedLater)}`}</Badge>}
      {restoredAt !== null && <Badge tone="pass">{t('restored', { when: format.relative(restoredAt) })}</Badge>}
      {redeploy && <Badge>{t('redeploy')}</Badge>}
      {rework && <Badge tone="warning">{t('rework')}</Badge>}
      {incidents.map((incident) => (
        <Go key={incident} to="delivery" search={{ tab: 'incidents' }}>
          {incident}
        </Go>
      ))}
    </span>
  )
}

type Outcome = components['schemas']['OutcomeMarkBody']['outcome']

function MarkDialog({ of, onClose }: { of: Deployment; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [outcome, setOutcome] = useState<Outcome>('failed')
  const [note, setNote] = useState('')
  const { executionId, pipelineId, environment } = of
  const settle = { stale: ['reports', 'scorecards'], onDone: onClose }
  const mark = useWrite(
    (api, body: components['schemas']['OutcomeMarkBody']) =>
      api.POST('/reports/deployments/{executionId}/outcome', { params: { path: { executionId } }, body }),
    { ...settle, done: t('marked') },
  )
  const remove = useWrite(
    (api, which: Outcome) =>
      api.DELETE('/reports/deployments/{executionId}/outcome/{outcome}', {
        params: { path: { executionId, outcome: which }, query: { pipelineId, environment } },
      }),
    { ...settle, done: t('unmarked') },
  )
  return (
    <FormDialog
      title={t('markTitle', { name: executionId })}
      subtitle={environment}
      submit={c('save')}
      busy={mark.isPending}
      problem={<Refused error={mark.error ?? remove.error} />}
      onSubmit={() => mark.mutate({ outcome, pipelineId, environment, ...(note === '' ? {} : { note }) })}
      onClose={onClose}
    >
      {of.suggestion !== null && <Message tone="accent">{of.suggestion}</Message>}
      <div>
        <Segments
          label={t('outcome')}
          value={outcome}
          options={[
            ['failed', t('outcomeFailed')],
            ['restored', t('outcomeRestored')],
          ]}
          onChange={(next) => setOutcome(next as Outcome)}
        />
      </div>
      <AreaField label={t('note')} value={note} onChange={(event) => setNote(event.target.value)} />
      {of.failedLater === 'mark' && (
        <div>
          <Button busy={remove.isPending} onClick={() => remove.mutate(outcome)}>
            {t('unmark')}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
