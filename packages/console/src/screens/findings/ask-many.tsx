/** Requests exemptions for at most 500 findings, with one reason and one expiry. Each is decided separately. */
import { useState } from 'react'
import { type components, useWrite } from '../../data/api.js'
import { Refused } from '../../data/refused.js'
import { Button } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { AreaField, TextField } from '../../ui/field.js'
import { useWords } from '../../ui/words.js'
import type { Finding } from './finding.js'
import { words } from './words.js'

const MOST = 500

export function AskMany({ of, onDone }: { of: readonly Finding[]; onDone: () => void }) {
  const t = useWords(words)
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [ends, setEnds] = useState('')
  const ask = useWrite(
    (api, body: components['schemas']['ExemptionBulkRequestBody']) => api.POST('/compliance/exemptions/bulk', { body }),
    {
      stale: ['findings', 'exemptions', 'summary'],
      done: ({ created, skipped, failed }) => t('asked', { created, skipped, failed }),
      onDone() {
        setOpen(false)
        onDone()
      },
    },
  )
  const expiresAt = ends === '' ? {} : { expiresAt: new Date(`${ends}T23:59:59`).toISOString() }
  const send = () =>
    ask.mutate({
      exemptions: of
        .slice(0, MOST)
        .map(({ ruleId, target, entityId }) => ({ ruleId, entityType: target, entityId, reason, ...expiresAt })),
    })
  return (
    <div className="selection-bar">
      <Button data-key="e" disabled={of.length === 0} onClick={() => setOpen(true)}>
        {t('askMany', { count: Math.min(MOST, of.length) })}
      </Button>
      {isOpen && (
        <FormDialog
          title={t('askTitle')}
          submit={t('send')}
          busy={ask.isPending}
          disabled={reason.trim() === ''}
          problem={<Refused error={ask.error} />}
          onSubmit={send}
          onClose={() => setOpen(false)}
        >
          <AreaField label={t('reason')} autoFocus value={reason} onChange={(event) => setReason(event.target.value)} />
          <TextField label={t('ends')} type="date" value={ends} onChange={(event) => setEnds(event.target.value)} />
        </FormDialog>
      )}
    </div>
  )
}
