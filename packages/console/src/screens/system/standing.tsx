/** The contents of the server, its background jobs, and its builds with their dead letters. */
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Go } from '../../data/go.js'
import { Loaded } from '../../data/page.js'
import { useSession } from '../../data/session.js'
import { Button } from '../../ui/basics.js'
import { Figures } from '../../ui/charts.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { DataTable } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

const EVERY_MS = 30_000

export function Standing() {
  const t = useWords(words)
  const format = useFormat()
  const { server } = useSession()
  const summary = useRead(['system', 'summary'], (api) => api.GET('/admin/summary'), { everyMs: EVERY_MS })
  return (
    <Loaded of={summary}>
      {({ organizations, deletedOrganizations, users, queue, dlq, counts }) => (
        <>
          <div className="grid-figures">
            <Go className="card figure-link" to="system" search={{ tab: 'organizations' }}>
              <Figures
                label={t('organizations')}
                value={format.number(organizations)}
                note={t('deletedOrganizations', { count: deletedOrganizations })}
              />
            </Go>
            <Go className="card figure-link" to="system" search={{ tab: 'users' }}>
              <Figures label={t('users')} value={format.number(users)} />
            </Go>
            <section className="card">
              <Figures label={t('jobs')} value={format.number(queue)} note={t('jobsNote')} />
            </section>
            <section className="card">
              <Figures label={t('dead')} value={format.number(dlq)} note={t('deadNote')} />
            </section>
          </div>
          {server.builds && <BuildQueue />}
          <section className="stack-small">
            <h2>{t('counts')}</h2>
            <DataTable
              rows={Object.entries(counts)}
              caption={t('counts')}
              rowKey={([name]) => name}
              empty={<Empty title="–" />}
              columns={[
                { id: 'what', head: t('what'), primary: true, cell: ([name]) => <code>{name}</code> },
                { id: 'count', head: t('count'), end: true, cell: ([, count]) => format.number(count) },
              ]}
            />
          </section>
        </>
      )}
    </Loaded>
  )
}

function BuildQueue() {
  const t = useWords(words)
  const format = useFormat()
  const [isPurging, setPurging] = useState(false)
  const status = useRead(['builds', 'queue', 'all'], (api) => api.GET('/plugins/queue/status'), { everyMs: EVERY_MS })
  const purge = useWrite((api, _: null) => api.DELETE('/plugins/queue/dlq'), {
    stale: ['builds', 'system'],
    done: ({ purged }) => t('purged', { count: purged }),
    onDone: () => setPurging(false),
  })
  return (
    <Loaded of={status} lines={3}>
      {({ tiers, dlq, oldestWaitingSeconds }) => (
        <section className="stack-small">
          <div className="row-between">
            <h2>{t('byTier')}</h2>
            <span className="row">
              {oldestWaitingSeconds > 0 && (
                <span className="muted">{t('oldest', { seconds: oldestWaitingSeconds })}</span>
              )}
              <Go className="button" to="builds" search={{ tab: 'dead' }}>
                {`${t('openDead')} (${format.number(dlq.total)})`}
              </Go>
              {dlq.total > 0 && (
                <Button kind="danger" onClick={() => setPurging(true)}>
                  {t('purge')}
                </Button>
              )}
            </span>
          </div>
          <DataTable
            rows={Object.entries(tiers)}
            caption={t('byTier')}
            rowKey={([tier]) => tier}
            empty={<Empty title="–" />}
            columns={[
              { id: 'tier', head: t('tier'), primary: true, cell: ([tier]) => tier },
              { id: 'waiting', head: t('waiting'), end: true, cell: ([, { waiting }]) => format.number(waiting) },
              { id: 'active', head: t('active'), end: true, cell: ([, { active }]) => format.number(active) },
              { id: 'failed', head: t('failed'), end: true, cell: ([, { failed }]) => format.number(failed) },
            ]}
          />
          {isPurging && (
            <Deletion title={t('purge')} by={purge} input={null} onClose={() => setPurging(false)}>
              {t('purgeNote')}
            </Deletion>
          )}
        </section>
      )}
    </Loaded>
  )
}
