import { ApiError } from '@plumbline/client'
import { Download, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { type components, type operations, useOrganization, useRead } from '../../data/api.js'
import { Chips, named } from '../../data/chips.js'
import { fileAddress } from '../../data/client.js'
import { GoHere } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent, useOpenRow } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { day, oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Button, Code, CopyBox, Facts, Prose, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { FilterBar, TextField } from '../../ui/field.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'
import { cannotTellWords, doubtWords, reasonWords } from './words-verdict.js'

type AuditEvent = components['schemas']['AuditEvent']

const OUTCOMES = ['success', 'failure'] as const
const STATE = {
  q: text(),
  outcome: oneOf(OUTCOMES, ''),
  actor: text(),
  target: text(),
  from: day(),
  to: day(),
  page: pageNumber(),
  sheet: text(),
}

export default function Audit() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const organization = useOrganization()
  const [state, set] = useUrlState(STATE)
  const [isVerifying, setVerifying] = useState(false)
  const filters = sent({
    action: state.q,
    outcome: state.outcome,
    actorId: state.actor,
    targetId: state.target,
    from: state.from,
    to: state.to,
  })
  const query = { ...filters, ...pageOf(state.page) } as const
  const events = useRead(['audit', query], (api, signal) => api.GET('/audit', { params: { query }, signal }), {
    keep: true,
  })
  const [first] = events.data?.events ?? []
  const listed = events.data?.events.find(({ id }) => id === state.sheet)
  // A link may lead to an event that is on another page, or that the filters hide.
  const linked = useRead(
    ['audit', 'one', state.sheet],
    (api, signal) => api.GET('/audit', { params: { query: { id: state.sheet, limit: 1 } }, signal }),
    { enabled: state.sheet !== '' && listed === undefined && events.data !== undefined },
  )
  const [found] = linked.data?.events ?? []
  const open = useOpenRow(state.sheet, listed ?? found)
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        <>
          <a className="button" href={fileAddress(organization, '/audit/export')} download>
            <Download size={16} aria-hidden />
            {t('export')}
          </a>
          <Button kind="main" icon={<ShieldCheck size={16} aria-hidden />} onClick={() => setVerifying(true)}>
            {t('verify')}
          </Button>
        </>
      }
    >
      <FilterBar
        text={{ label: t('action'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[{ name: 'outcome', label: t('outcome'), value: state.outcome, options: optionsOf(OUTCOMES, label) }]}
        onChange={(name, value) => set({ [name]: value })}
      >
        <TextField
          label={`${c('from')} (UTC)`}
          type="date"
          value={state.from}
          onChange={(event) => set({ from: event.target.value })}
        />
        <TextField
          label={`${c('to')} (UTC)`}
          type="date"
          value={state.to}
          onChange={(event) => set({ to: event.target.value })}
        />
      </FilterBar>
      <Chips
        of={[
          { name: t('actor'), value: named(state.actor, first?.actorEmail), onDrop: () => set({ actor: '' }) },
          { name: t('target'), value: named(state.target, null), onDrop: () => set({ target: '' }) },
        ]}
      />
      <Rows
        of={events}
        rows={(data) => data.events}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={
          Object.keys(filters).length > 0
            ? () => set({ q: '', outcome: '', actor: '', target: '', from: '', to: '' })
            : undefined
        }
        empty={<Empty title={t('none')} />}
        columns={[
          {
            id: 'action',
            head: t('action'),
            primary: true,
            cell: ({ id, action }) => <GoHere patch={{ sheet: id }}>{action}</GoHere>,
          },
          { id: 'outcome', head: t('outcome'), cell: ({ outcome }) => <Mark value={outcome} /> },
          {
            id: 'actor',
            head: t('actor'),
            cell: ({ actorEmail, actorId }) => <span className="clip">{actorEmail ?? actorId}</span>,
          },
          {
            id: 'target',
            head: t('target'),
            cell: ({ targetType, targetId }) => (
              <span className="clip">{targetType === null ? '–' : `${targetType} ${targetId?.slice(-8) ?? ''}`}</span>
            ),
          },
          { id: 'at', head: c('when'), cell: ({ createdAt }) => <When at={createdAt} /> },
        ]}
      />
      {state.sheet !== '' && <Refused error={linked.error} />}
      {state.sheet !== '' && open === undefined && linked.data !== undefined && (
        <Message tone="warning">{t('noEvent')}</Message>
      )}
      {isVerifying && <Verify onClose={() => setVerifying(false)} />}
      {open !== undefined && (
        <Dialog
          kind="sheet"
          title={open.action}
          subtitle={<When at={open.createdAt} />}
          onClose={() => set({ sheet: '' })}
        >
          <EventView of={open} />
        </Dialog>
      )}
    </Page>
  )
}

const TONES = { valid: 'pass', invalid: 'critical', 'cannot-tell': 'warning' } as const
const TITLES = { valid: 'verified', invalid: 'broken', 'cannot-tell': 'cannotTell' } as const

type Verdict = operations['audit.chain.verify']['responses']['200']['content']['application/json']['data']

/** The numbers that doubts name. */
const numbers = ({ coveredThrough, lastSeq, anchor }: Verdict) => ({
  covered: coveredThrough,
  next: coveredThrough + 1,
  last: lastSeq ?? 0,
  pruned: anchor?.throughSeq ?? 0,
})

function Verify({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const d = useWords(doubtWords)
  const reason = useLabel(reasonWords)
  const cannotTell = useLabel(cannotTellWords)
  const verdict = useRead(['audit', 'verify'], (api) => api.GET('/audit/verify'))
  return (
    <Dialog kind="wide" title={t('verify')} onClose={onClose}>
      <Loaded of={verdict} lines={3}>
        {(of) => (
          <>
            <Message tone={TONES[of.verdict]} title={t(TITLES[of.verdict])}>
              <p>{t('counted', { count: of.count, first: of.firstSeq ?? 0, last: of.lastSeq ?? 0 })}</p>
              {of.pending > 0 && <p>{t('pending', { count: of.pending })}</p>}
              {of.erased > 0 && <p>{t('erased', { count: of.erased })}</p>}
              {of.verdict === 'invalid' && (
                <p>{t('brokenAt', { seq: of.brokenSeq ?? 0, reason: reason(of.reason ?? null) })}</p>
              )}
              {of.cannotTell !== undefined && <p>{cannotTell(of.cannotTell)}</p>}
            </Message>
            {of.doubts.length > 0 && (
              <Message tone="warning" title={t('doubts')}>
                <ul>
                  {of.doubts.map(({ code, text: doubt }) => (
                    <li key={code}>
                      <Prose text={code in doubtWords ? d(code as keyof typeof doubtWords, numbers(of)) : doubt} />
                    </li>
                  ))}
                </ul>
              </Message>
            )}
            <Facts
              of={[
                of.head === null ? null : [t('head'), <code key="h">{of.head.hash}</code>],
                of.checkpoint === null
                  ? null
                  : [t('checkpoint'), `${of.checkpoint.size} ${of.checkpoint.verified ? '✓' : '✗'}`],
              ]}
            />
            <section className="stack-small">
              <h3>{t('offline')}</h3>
              <p className="muted">{t('offlineHint')}</p>
              <CopyBox label={t('offline')} text="plumbline audit verify audit.jsonl --key audit.pub" />
            </section>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** A proof needs a signed checkpoint. The server has none for the newest events yet, so the input is not wrong. */
const isNotCovered = (error: Error | null) => error instanceof ApiError && error.code === 'VALIDATION_ERROR'

function EventView({ of }: { of: AuditEvent }) {
  const t = useWords(words)
  const { organization } = useSession()
  const [wantsProof, setWantsProof] = useState(false)
  const query = { orgId: organization.id, seq: of.seq ?? 0 }
  const proof = useRead(['audit', 'proof', of.seq], (api) => api.GET('/audit/proof', { params: { query } }), {
    enabled: wantsProof,
  })
  return (
    <>
      <Facts
        of={[
          [t('outcome'), <Mark key="o" value={of.outcome} />],
          [t('actor'), of.actorEmail ?? of.actorId],
          of.impersonatorId === null ? null : [t('impersonated'), of.impersonatorId],
          of.targetType === null ? null : [t('target'), `${of.targetType} ${of.targetId ?? ''}`],
          of.ip === null ? null : [t('where'), `${of.ip} ${of.userAgent ?? ''}`],
          of.requestId === null ? null : [t('request'), <code key="r">{of.requestId}</code>],
          of.seq === null ? null : [t('seq'), String(of.seq)],
          of.hash === null ? null : [t('hash'), <code key="h">{of.hash}</code>],
        ]}
      />
      {of.details !== null && (
        <section className="stack-small">
          <h3>{t('details')}</h3>
          <Code value={of.details} />
        </section>
      )}
      <section className="stack-small">
        <h3>{t('proof')}</h3>
        {of.seq === null && <p className="muted">{t('notSealed')}</p>}
        {of.seq !== null && !wantsProof && (
          <div>
            <Button onClick={() => setWantsProof(true)}>{t('makeProof')}</Button>
          </div>
        )}
        {wantsProof && isNotCovered(proof.error) && (
          <Message actions={<Button onClick={() => void proof.refetch()}>{t('tryAgain')}</Button>}>
            {t('notCovered')}
          </Message>
        )}
        {wantsProof && !isNotCovered(proof.error) && <Loaded of={proof}>{(data) => <Code value={data} />}</Loaded>}
      </section>
    </>
  )
}
