/**
 * Sign-in dialogs over a page that keeps its state: after a session has ended, and before an action that needs a fresh
 * confirmation.
 */
import { unwrap } from '@plumbline/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useRead } from '../../data/api.js'
import { apiFor, signedOut, stepUp } from '../../data/client.js'
import { confirmedAddress, hearConfirmation } from '../../data/confirmation.js'
import { codeOf } from '../../data/one-time-code.js'
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
  return request === null ? null : <StepUpForm key={request.id} answer={request.answer} />
}

type Method = 'password' | 'totp' | 'sso'

/** The sign-in of a company can confirm only sessions that it opened itself. */
function StepUpForm({ answer }: { answer: (token: string | null) => void }) {
  const { data: me, error } = useRead(['me', 'confirms'], (api) => api.GET('/auth/me'))
  if (me === undefined && error === null) return null
  return <Confirming confinedTo={me?.confinedTo ?? null} answer={answer} />
}

function Confirming({ confinedTo, answer }: { confinedTo: string | null; answer: (token: string | null) => void }) {
  const t = useWords(words)
  const [method, setMethod] = useState<Method>(confinedTo === null ? 'password' : 'sso')
  const [secret, setSecret] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [elsewhere, setElsewhere] = useState<string | null>(null)
  const [id] = useState(() => crypto.randomUUID())
  useEffect(() => hearConfirmation(id, answer), [id, answer])
  const byProvider = async () => {
    const body = { kind: 'step-up', returnTo: confirmedAddress(id) } as const
    const path = { orgId: confinedTo ?? '' }
    const { url } = await unwrap(apiFor(null).POST('/auth/sso/{orgId}/attach', { params: { path }, body }))
    setElsewhere(url)
    setBusy(false)
    // A browser that opens no window shows the link.
    window.open(url, '_blank')
  }
  const byIt = async () => {
    const body =
      method === 'password'
        ? ({ method, password: secret } as const)
        : ({ method: 'totp', code: codeOf(secret) } as const)
    const { stepUpToken } = await unwrap(apiFor(null).POST('/auth/step-up', { body }))
    answer(stepUpToken)
  }
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      await (method === 'sso' ? byProvider() : byIt())
    } catch (problem) {
      setError(problem as Error)
      setBusy(false)
    }
  }
  const provider: readonly (readonly [Method, string])[] = confinedTo === null ? [] : [['sso', t('bySignOn')]]
  return (
    <FormDialog
      title={t('confirmTitle')}
      subtitle={t('confirmWhy')}
      submit={t(method === 'sso' ? 'toProvider' : 'verify')}
      busy={isBusy}
      disabled={method !== 'sso' && secret === ''}
      problem={<Refused error={error} />}
      onSubmit={() => void send()}
      onClose={() => answer(null)}
    >
      <Segments
        label={t('method')}
        value={method}
        options={[...provider, ['password', t('password')], ['totp', t('app')]]}
        onChange={(chosen) => setMethod(chosen as Method)}
      />
      {method === 'sso' ? (
        <p>
          {t(elsewhere === null ? 'bySignOnNext' : 'bySignOnWaits')}{' '}
          {elsewhere !== null && (
            <a href={elsewhere} target="_blank" rel="noreferrer">
              {t('toProvider')}
            </a>
          )}
        </p>
      ) : (
        <TextField
          key={method}
          label={method === 'password' ? t('password') : t('code')}
          type={method === 'password' ? 'password' : 'text'}
          autoComplete={method === 'password' ? 'current-password' : 'one-time-code'}
          autoFocus
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
