/** Explains why a check did not pass: each rule with what it expected, what it found, and what to do. */
import { ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import { Badge, Button, Facts, Prose, showValue } from '../ui/basics.js'
import { FormDialog } from '../ui/dialog.js'
import { AreaField, TextField } from '../ui/field.js'
import { defineWords, useLabel, useWords } from '../ui/words.js'
import { type components, useWrite } from './api.js'
import { useEngineText } from './engine-text.js'
import { Go } from './go.js'
import { Mark } from './marks.js'
import { issueOf, Refused } from './refused.js'
import { useCan } from './session.js'
import { valueWords } from './words.js'

export type Violation = components['schemas']['Violation']

const words = defineWords({
  field: ['Field', 'Feld'],
  expected: ['Expected', 'Erwartet'],
  found: ['Found', 'Gefunden'],
  source: ['From', 'Herkunft'],
  change: ['To pass, change', 'Zum Bestehen ändern'],
  ask: ['Ask for an exemption', 'Ausnahme beantragen'],
  askFor: ['Exemption from {rule}', 'Ausnahme von {rule}'],
  asked: [
    'The request was sent. Somebody else has to decide.',
    'Der Antrag ist gestellt. Jemand anderes muss entscheiden.',
  ],
  reason: ['Reason', 'Grund'],
  reasonHint: [
    'The person who decides reads it, and so will an auditor.',
    'Wer entscheidet, liest ihn, und später die Prüfung.',
  ],
  ends: ['Ends on', 'Endet am'],
  endsHint: ['Without an end it holds until it is revoked.', 'Ohne Ende gilt sie bis zum Widerruf.'],
  send: ['Send request', 'Antrag stellen'],
  observed: ['only observed', 'nur beobachtet'],
})

export interface Subject {
  readonly entityType: 'plugin' | 'pipeline'
  readonly entityId: string | null
}

interface WhyCardProps {
  of: Violation
  about?: Subject
  observed?: boolean
}

export function WhyCard({ of, about, observed = false }: WhyCardProps) {
  const t = useWords(words)
  const label = useLabel(valueWords)
  const inWords = useEngineText()
  const canAsk = useCan('compliance:read')
  const [isAsking, setAsking] = useState(false)
  const failures = of.failures ?? []
  return (
    <article className="why" data-severity={of.severity}>
      <div className="row-between">
        <h3 className="row">
          <Mark value={of.severity} />
          <Go to={`rules/${of.ruleId}`}>{of.ruleName}</Go>
          {observed && <Badge>{t('observed')}</Badge>}
        </h3>
        {about?.entityId != null && canAsk && !observed && (
          <Button icon={<ShieldQuestion size={16} aria-hidden />} onClick={() => setAsking(true)}>
            {t('ask')}
          </Button>
        )}
      </div>
      <p className="anywhere">
        <Prose text={inWords(of.message)} />
      </p>
      {of.description !== null && (
        <p className="muted">
          <Prose text={of.description} />
        </p>
      )}
      <Facts
        of={[
          [t('field'), <code key="f">{of.field}</code>],
          of.operator === null
            ? null
            : [
                t('expected'),
                <span key="e">
                  <code>{of.operator}</code>{' '}
                  {of.expectedValue == null ? null : <code>{showValue(of.expectedValue)}</code>}
                </span>,
              ],
          [t('found'), <code key="a">{showValue(of.actualValue)}</code>],
          [t('source'), label(of.source)],
          failures.length < 2
            ? null
            : [
                t('change'),
                <ul key="c">
                  {failures.map(({ field, operator, expected }) => (
                    <li key={`${field} ${operator}`}>
                      <code>{field}</code> <code>{operator}</code> <code>{showValue(expected)}</code>
                    </li>
                  ))}
                </ul>,
              ],
        ]}
      />
      {isAsking && about !== undefined && (
        <AskExemption rule={of.ruleName} ruleId={of.ruleId} about={about} onClose={() => setAsking(false)} />
      )}
    </article>
  )
}

interface AskProps {
  rule: string
  ruleId: string
  about: Subject
  onClose: () => void
}

export function AskExemption({ rule, ruleId, about, onClose }: AskProps) {
  const t = useWords(words)
  const [reason, setReason] = useState('')
  const [ends, setEnds] = useState('')
  const ask = useWrite(
    (api, body: components['schemas']['ExemptionRequestBody']) => api.POST('/compliance/exemptions', { body }),
    { stale: ['exemptions', 'findings', 'summary'], done: t('asked'), onDone: onClose },
  )
  const { entityType, entityId } = about
  const send = () =>
    ask.mutate({
      ruleId,
      entityType,
      ...(entityId === null ? {} : { entityId }),
      reason,
      ...(ends === '' ? {} : { expiresAt: new Date(`${ends}T23:59:59`).toISOString() }),
    })
  return (
    <FormDialog
      title={t('askFor', { rule })}
      submit={t('send')}
      busy={ask.isPending}
      disabled={reason.trim() === ''}
      problem={<Refused error={ask.error} />}
      onSubmit={send}
      onClose={onClose}
    >
      <AreaField
        label={t('reason')}
        hint={t('reasonHint')}
        error={issueOf(ask.error, 'reason')}
        autoFocus
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <TextField
        label={t('ends')}
        hint={t('endsHint')}
        type="date"
        min={new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}
        value={ends}
        onChange={(event) => setEnds(event.target.value)}
      />
    </FormDialog>
  )
}
