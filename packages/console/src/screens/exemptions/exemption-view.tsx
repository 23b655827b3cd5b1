/** One exemption with what a reviewer needs to see. People who may decide can approve or reject it. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { type components, useWrite } from '../../data/api.js'
import { Go, GoHere } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { useNames } from '../../data/names.js'
import { Loaded } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { useSession } from '../../data/session.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Button, Facts, Prose, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { AreaField } from '../../ui/field.js'
import { Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

type Exemption = components['schemas']['Exemption']
const STALE = ['exemptions', 'findings', 'summary']

interface ExemptionViewProps {
  of: Exemption
  /** The rest of it, which is read when it is opened. */
  opened: UseQueryResult<{ exemption: Exemption }, Error>
}

export function ExemptionView({ of, opened }: ExemptionViewProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const { user } = useSession()
  const name = useNames([of.createdBy, of.reviewedBy])
  const person = (id: string | null) => (id === null ? '–' : id === user.id ? t('you') : name(id))
  return (
    <div className="stack">
      <Message tone="plain" title={c('reason')}>
        <p>{of.reason}</p>
      </Message>
      <Decision of={of} />
      <Facts
        of={[
          [
            c('rule'),
            of.ruleName === null ? (
              <span key="r" className="mono small">
                {of.ruleId}
              </span>
            ) : (
              <Go key="r" to={`rules/${of.ruleId}`}>
                {of.ruleName}
              </Go>
            ),
          ],
          of.ruleSeverity === null ? null : [c('severity'), <Mark key="s" value={of.ruleSeverity} />],
          [c('target'), label(of.entityType)],
          of.entityId === null
            ? null
            : [
                c('entity'),
                <Go key="e" to={`${of.entityType}s/${of.entityId}`}>
                  {of.entityName ?? of.entityId}
                </Go>,
              ],
          [c('expires'), <When key="x" at={of.expiresAt} />],
          [t('askedBy'), person(of.createdBy)],
          [c('created'), <When key="c" at={of.createdAt} />],
          of.reviewedAt === null ? null : [t('decidedBy'), person(of.reviewedBy)],
          of.reviewedAt === null ? null : [t('decidedAt'), <When key="d" at={of.reviewedAt} />],
          of.rejectionReason === null ? null : [t('whyRejected'), of.rejectionReason],
        ]}
      />
      <Loaded of={opened} lines={2}>
        {({ exemption }) => <Others of={exemption} />}
      </Loaded>
    </div>
  )
}

function Decision({ of }: { of: Exemption }) {
  const t = useWords(words)
  const { user } = useSession()
  const { organization } = useSession()
  const canDecide = of.mayDecide === true
  const [isRejecting, setRejecting] = useState(false)
  const isOwn = of.createdBy === user.id
  const path = { id: of.id }
  const approve = useWrite(
    (api, _: null) => api.PUT('/compliance/exemptions/{id}/review', { params: { path }, body: { status: 'approved' } }),
    { stale: STALE, done: t('approved') },
  )
  const revoke = useWrite((api, _: null) => api.DELETE('/compliance/exemptions/{id}', { params: { path } }), {
    stale: STALE,
    done: t('revokedDone'),
  })
  const isOpen = of.status === 'pending' || of.status === 'approved'
  if (!isOpen) return null
  return (
    <>
      <Refused error={approve.error ?? revoke.error} />
      {of.status === 'pending' && isOwn && <Message tone="accent">{t('ownRequest')}</Message>}
      {of.status === 'pending' && !isOwn && !canDecide && (
        <Message>
          <Prose text={t(of.reviewOrgId === organization.id ? 'mayNot' : 'ownerDecides')} />
        </Message>
      )}
      <div className="row">
        {canDecide && (
          <>
            <Button kind="main" busy={approve.isPending} onClick={() => approve.mutate(null)}>
              {t('approve')}
            </Button>
            <Button onClick={() => setRejecting(true)}>{t('reject')}</Button>
          </>
        )}
        {of.mayRevoke === true && (
          <Button kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate(null)}>
            {isOwn && of.status === 'pending' ? t('withdraw') : t('revoke')}
          </Button>
        )}
      </div>
      {isRejecting && <Reject id={of.id} onClose={() => setRejecting(false)} />}
    </>
  )
}

function Reject({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(words)
  const [why, setWhy] = useState('')
  const reject = useWrite(
    (api, rejectionReason: string) =>
      api.PUT('/compliance/exemptions/{id}/review', {
        params: { path: { id } },
        body: { status: 'rejected', rejectionReason },
      }),
    { stale: STALE, done: t('rejected'), onDone: onClose },
  )
  return (
    <FormDialog
      title={t('reject')}
      submit={t('reject')}
      danger
      busy={reject.isPending}
      disabled={why.trim() === ''}
      problem={<Refused error={reject.error} />}
      onSubmit={() => reject.mutate(why)}
      onClose={onClose}
    >
      <AreaField
        label={t('why')}
        hint={t('whyHint')}
        autoFocus
        error={issueOf(reject.error, 'rejectionReason')}
        value={why}
        onChange={(event) => setWhy(event.target.value)}
      />
    </FormDialog>
  )
}

function Others({ of: { entityId, otherExemptions: others = [], otherExemptionCount: count = 0 } }: { of: Exemption }) {
  const t = useWords(words)
  return (
    <section className="stack-small">
      <h2>{t('others')}</h2>
      {others.length === 0 && <p className="muted">{t('noOthers')}</p>}
      <ul className="stack-small">
        {others.map(({ id, status, reason, createdAt }) => (
          <li key={id} className="row">
            <Mark value={status} />
            <GoHere patch={{ sheet: id }} className="clip">
              {reason}
            </GoHere>
            <When at={createdAt} relative />
          </li>
        ))}
      </ul>
      {count > others.length && entityId !== null && (
        <Go to="exemptions" search={{ entity: entityId }}>
          {t('allOfEntity', { count: count + 1 })}
        </Go>
      )}
    </section>
  )
}
