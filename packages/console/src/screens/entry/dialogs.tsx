/** Who are you, asked over a page that stays as it is: after a session ended, and before what needs a fresh proof. */
import { unwrap } from '@plumbline/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiFor, signedOut, stepUp } from '../../data/client.js'
import { Refused } from '../../data/refused.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { Segments, TextField } from '../../ui/field.js'
import { useStore } from '../../ui/store.js'
import { useWords } from '../../ui/words.js'
import { SignInForm } from './sign-in-form.js'
import { words } from './words.js'

export function SessionOver() {
  const t = useWords(words)
  const queries = useQueryClient()
  const isOut = useStore(signedOut)
  if (!isOut) return null
  const goOn = () => {
    signedOut.set(false)
    void queries.invalidateQueries()
  }
  return (
    <Dialog
      title={t('sessionOver')}
      subtitle={t('sessionOverNext')}
      keep
      onClose={() => location.assign('/console/sign-in')}
    >
      <SignInForm onDone={goOn} />
    </Dialog>
  )
}

export function StepUpDialog() {
  const request = useStore(stepUp)
  return request === null ? null : <StepUpForm answer={request.answer} />
}

function StepUpForm({ answer }: { answer: (token: string | null) => void }) {
  const t = useWords(words)
  const [method, setMethod] = useState('password')
  const [secret, setSecret] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const send = async () => {
    setBusy(true)
    setError(null)
    const body =
      method === 'password'
        ? ({ method: 'password', password: secret } as const)
        : ({ method: 'totp', code: secret.replaceAll(' ', '') } as const)
    try {
      const { stepUpToken } = await unwrap(apiFor(null).POST('/auth/step-up', { body }))
      answer(stepUpToken)
    } catch (problem) {
      setError(problem as Error)
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('confirmTitle')}
      subtitle={t('confirmWhy')}
      submit={t('verify')}
      busy={isBusy}
      disabled={secret === ''}
      problem={<Refused error={error} />}
      onSubmit={() => void send()}
      onClose={() => answer(null)}
    >
      <Segments
        label={t('method')}
        value={method}
        options={[
          ['password', t('password')],
          ['totp', t('app')],
        ]}
        onChange={setMethod}
      />
      <TextField
        key={method}
        label={method === 'password' ? t('password') : t('code')}
        type={method === 'password' ? 'password' : 'text'}
        autoComplete={method === 'password' ? 'current-password' : 'one-time-code'}
        autoFocus
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
      />
    </FormDialog>
  )
}
