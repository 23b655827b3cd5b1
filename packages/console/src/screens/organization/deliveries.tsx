/** The log of deliveries: each attempt, what was sent, what was answered, and sending it again. */
import { type components, useRead, useWrite } from '../../data/api.js'
import { Go, GoHere } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Button, Code, Facts, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Entry = components['schemas']['NotificationLogEntry']

interface DeliveriesProps {
  page: number
  onPage: (page: number) => void
  /** The id of the attempt that is open; empty if none is. */
  sheet: string
  onClose: () => void
}

export function Deliveries({ page, onPage, sheet, onClose }: DeliveriesProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const query = pageOf(page)
  const list = useRead(['deliveries', query], (api) => api.GET('/compliance/notification-log', { params: { query } }), {
    keep: true,
  })
  return (
    <>
      <Rows
        of={list}
        rows={({ entries }) => entries}
        total={({ pagination }) => pagination.total}
        caption={t('deliveries')}
        rowKey={({ id }) => id}
        page={page}
        onPage={onPage}
        empty={<Empty title={t('noDelivery')} />}
        columns={[
          {
            id: 'event',
            head: t('event'),
            primary: true,
            cell: ({ id, event }) => <GoHere patch={{ sheet: id }}>{event}</GoHere>,
          },
          { id: 'channel', head: t('channel'), cell: ({ channel }) => channel },
          { id: 'status', head: c('status'), cell: ({ status }) => <Mark value={status} /> },
          { id: 'attempt', head: t('attempt'), end: true, cell: ({ attempt }) => String(attempt) },
          { id: 'error', head: c('reason'), cell: (entry) => <span className="clip">{answerOf(entry)}</span> },
          { id: 'at', head: c('when'), cell: ({ createdAt }) => <When at={createdAt} /> },
        ]}
      />
      {sheet !== '' && <Delivery key={sheet} id={sheet} onClose={onClose} />}
    </>
  )
}

const answerOf = ({ responseCode, error }: Entry) => [responseCode, error].filter((each) => each !== null).join(' ')

function Delivery({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(words)
  const found = useRead(['deliveries', 'one', id], (api) =>
    api.GET('/compliance/notification-log/{id}', { params: { path: { id } } }),
  )
  const entry = found.data?.entry
  return (
    <Dialog
      kind="sheet"
      title={entry?.event ?? t('delivery')}
      subtitle={entry === undefined ? undefined : <When at={entry.createdAt} />}
      onClose={onClose}
    >
      <Loaded of={found}>{({ entry: of }) => <DeliveryView of={of} />}</Loaded>
    </Dialog>
  )
}

function DeliveryView({ of }: { of: Entry }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const canChange = useCan('compliance:write')
  const path = { id: of.id }
  const replay = useWrite(
    (api, _: null) => api.POST('/compliance/notification-log/{id}/replay', { params: { path } }),
    { stale: ['deliveries'], done: t('replayed') },
  )
  const answer = answerOf(of)
  return (
    <>
      <Facts
        of={[
          [c('status'), <Mark key="s" value={of.status} />],
          [t('channel'), of.channel],
          [t('attempt'), String(of.attempt)],
          answer === ''
            ? null
            : [
                t('answer'),
                <span key="a" className="anywhere">
                  {answer}
                </span>,
              ],
          of.nextRetryAt === null ? null : [t('nextRetry'), <When key="n" at={of.nextRetryAt} />],
          [t('delivery'), <code key="d">{of.deliveryId}</code>],
          of.relatedAuditId === null
            ? null
            : [
                t('ofCheck'),
                <Go key="c" to="checks" search={{ sheet: of.relatedAuditId }}>
                  {t('seeCheck')}
                </Go>,
              ],
        ]}
      />
      <Refused error={replay.error} />
      {canChange && (of.channel === 'email' || of.channel === 'webhook') && (
        <div>
          <Button busy={replay.isPending} onClick={() => replay.mutate(null)}>
            {t('replay')}
          </Button>
        </div>
      )}
      <section className="stack-small">
        <h3>{t('attempts')}</h3>
        <Attempts of={of.deliveryId} />
      </section>
      <section className="stack-small">
        <h3>{t('payload')}</h3>
        <Code value={of.payload} />
      </section>
    </>
  )
}

/** A delivery is retried less often. */
const ATTEMPTS_MAX = 100

function Attempts({ of }: { of: string }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const query = { deliveryId: of, limit: ATTEMPTS_MAX }
  const attempts = useRead(['deliveries', 'attempts', of], (api) =>
    api.GET('/compliance/notification-log', { params: { query } }),
  )
  return (
    <Rows
      of={attempts}
      rows={({ entries }) => entries}
      caption={t('attempts')}
      rowKey={({ id }) => id}
      empty={<Empty title={t('noDelivery')} />}
      columns={[
        { id: 'attempt', head: t('attempt'), primary: true, cell: ({ attempt }) => String(attempt) },
        { id: 'status', head: c('status'), cell: ({ status }) => <Mark value={status} /> },
        { id: 'answer', head: t('answer'), cell: (entry) => <span className="anywhere">{answerOf(entry)}</span> },
        { id: 'at', head: c('when'), cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  )
}
