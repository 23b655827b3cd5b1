/** The verdict of the rules on a stored record, now or on a day in the past. Nothing is recorded. */
import { ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/basics.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Message } from '../ui/states.js'
import { useWords } from '../ui/words.js'
import { useRead } from './api.js'
import { dayOf, endOfPastDay } from './day.js'
import { Loaded } from './page.js'
import { useCan } from './session.js'
import { Waived } from './waived.js'
import { WhyCard } from './why.js'
import { checkWords } from './words-checks.js'

interface CheckedRecord {
  entityType: 'plugin' | 'pipeline'
  entityId: string
}

/** The button, for a reader who may see verdicts, and the sheet that it opens. */
export function CheckAgain({ kind, ...record }: CheckedRecord & { kind?: 'main' }) {
  const t = useWords(checkWords)
  const canCheck = useCan('compliance:read')
  const [isOpen, setOpen] = useState(false)
  if (!canCheck) return null
  return (
    <>
      <Button
        {...(kind === undefined ? {} : { kind })}
        icon={<ShieldQuestion size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('check')}
      </Button>
      {isOpen && <Verdict {...record} onClose={() => setOpen(false)} />}
    </>
  )
}

function Verdict({ entityType, entityId, onClose }: CheckedRecord & { onClose: () => void }) {
  const t = useWords(checkWords)
  const [day, setDay] = useState('')
  const asOf = endOfPastDay(day, Date.now())
  const body = { entityId, ...(asOf === '' ? {} : { asOf }) }
  const check = useRead(['dry-run', entityId, asOf], (api) =>
    entityType === 'plugin'
      ? api.POST('/compliance/validate/plugin/dry-run', { body })
      : api.POST('/compliance/validate/pipeline/dry-run', { body }),
  )
  return (
    <Dialog kind="sheet" title={t('checkResult')} subtitle={t('checkNote')} onClose={onClose}>
      <TextField
        label={t('asOf')}
        hint={t('asOfHint')}
        type="date"
        max={dayOf(Date.now())}
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <Loaded of={check}>
        {({ violations, observed, exempted, rulesEvaluated }) => (
          <>
            {violations.length === 0 && <Message tone="pass">{t('allPass', { count: rulesEvaluated })}</Message>}
            {violations.map((each) => (
              <WhyCard key={`${each.ruleId} ${each.field}`} of={each} about={{ entityType, entityId }} />
            ))}
            {observed.map((each) => (
              <WhyCard key={`${each.ruleId} ${each.field}`} of={each} observed />
            ))}
            <Waived of={exempted} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
