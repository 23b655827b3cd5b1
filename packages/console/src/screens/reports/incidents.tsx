/** Incidents, each with the deployment that it is attributed to. A wrong link can be changed by hand. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Refused } from '../../data/refused.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { SelectField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { lastDays } from './data.js'
import type { Asked } from './dora.js'
import { words } from './words.js'

type Incident = components['schemas']['Incident']

interface ListProps {
  asked: Asked
  page: number
  onPage: (page: number) => void
}

export function IncidentsTab({ asked, page, onPage }: ListProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [linked, setLinked] = useState<Incident | null>(null)
  const { days, ...where } = asked
  const query = { ...sent({ ...where, ...lastDays(days) }), ...pageOf(page) }
  const list = useRead(['reports', 'incidents', query], (api) => api.GET('/reports/incidents', { params: { query } }), {
    keep: true,
  })
  return (
    <>
      <Rows
        of={list}
        rows={({ incidents }) => incidents}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={onPage}
        caption={t('incidents')}
        rowKey={({ incidentId, orgId }) => `${orgId} ${incidentId}`}
        empty={<Empty title={t('noIncident')}>{t('noIncidentNext')}</Empty>}
        columns={[
          {
            id: 'title',
            head: c('name'),
            primary: true,
            cell: ({ title, incidentId }) => (
              <>
                {title ?? incidentId}
                <span className="small muted clip">{incidentId}</span>
              </>
            ),
          },
          { id: 'environment', head: t('environment'), cell: ({ environment }) => environment },
          { id: 'severity', head: c('severity'), cell: ({ severity }) => <Badge>{severity}</Badge> },
          { id: 'opened', head: t('opened'), cell: ({ openedAt }) => <When at={openedAt} /> },
          {
            id: 'resolved',
            head: t('resolved'),
            cell: ({ resolvedAt }) => (resolvedAt === null ? '–' : <When at={resolvedAt} />),
          },
          { id: 'cause', head: t('caused'), cell: (each) => <Cause of={each} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (each) => (
              <Button
                aria-label={t('changeLinkOf', { name: each.title ?? each.incidentId })}
                onClick={() => setLinked(each)}
              >
                {t('changeLink')}
              </Button>
            ),
          },
        ]}
      />
      {linked !== null && <LinkDialog of={linked} onClose={() => setLinked(null)} />}
    </>
  )
}

function Cause({ of }: { of: Incident }) {
  const t = useWords(words)
  const { kind, deployment } = of.link
  if (deployment === null || kind === null) return <span className="muted">{t('notLinked')}</span>
  return (
    <span className="row">
      <code className="clip">{deployment.executionId}</code>
      <Badge>{t(kind)}</Badge>
    </span>
  )
}

function LinkDialog({ of, onClose }: { of: Incident; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  const { deployment, candidates, kind } = of.link
  const keyOf = (each: { pipelineId: string; executionId: string }) => `${each.pipelineId} ${each.executionId}`
  const [chosen, setChosen] = useState(deployment === null ? '' : keyOf(deployment))
  const path = { id: of.incidentId }
  const settle = { stale: ['reports', 'scorecards'], onDone: onClose }
  const link = useWrite(
    (api, body: components['schemas']['LinkSetBody']) =>
      api.PUT('/reports/incidents/{id}/link', { params: { path }, body }),
    { ...settle, done: t('linked') },
  )
  const unlink = useWrite((api, _: null) => api.DELETE('/reports/incidents/{id}/link', { params: { path } }), {
    ...settle,
    done: t('unlinked'),
  })
  const found = candidates.find((each) => keyOf(each) === chosen)
  const submit = () =>
    found !== undefined && link.mutate({ executionId: found.executionId, pipelineId: found.pipelineId })
  return (
    <FormDialog
      title={t('link')}
      subtitle={of.title ?? of.incidentId}
      submit={c('save')}
      busy={link.isPending}
      disabled={found === undefined}
      problem={<Refused error={link.error ?? unlink.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('candidate')}
        value={chosen}
        options={[
          ['', t('notLinked')],
          ...candidates.map(
            (each) => [keyOf(each), `${each.executionId} · ${format.dateTime(each.completedAt)}`] as const,
          ),
        ]}
        onChange={setChosen}
      />
      {kind === 'manual' && (
        <div>
          <Button busy={unlink.isPending} onClick={() => unlink.mutate(null)}>
            {t('unlink')}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
