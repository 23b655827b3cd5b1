/**
 * Sign-in dialogs over a page that keeps its state: after a session has ended, and before an action that needs a fresh
 * confirmation.
 */
import { unwrap } from '@plumbline/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useRead } from '../../data/api.js'
import { apiFor, closed, signedOut, stepUp } from '../../data/client.js'
import { confirmedAddress, hearConfirmation } from '../../data/confirmation.js'
import { codeOf } from '../../data/one-time-code.js'
import { Refused } from '../../data/refused.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { Segments, TextField } from '../../ui/field.js'
import { useStore } from '../../ui/store.js'
import { useWords } from '../../ui/words.js'
import { SignInForm } from './sign-in-form.js'
import { useHasSignOn } from './sign-on.js'
import { words } from './words.js'

export function SessionOver() {
  return useStore(signedOut) ? <SessionOverDialog /> : null
}

function SessionOverDialog() {
  const t = useWords(words)
  const queries = useQueryClient()
  const hasSignOn = useHasSignOn()
  const goOn = () => {
    signedOut.set(false)
    void queries.invalidateQueries()
  }
  useReturn(() => unwrap(apiFor(null).GET('/auth/me')).then(goOn))
  return (
    <Dialog
      title={t('sessionOver')}
      subtitle={t('sessionOverNext')}
      keep
      onClose={() => location.assign('/console/sign-in')}
    >
      <SignInForm onDone={goOn} />
      {hasSignOn && (
        <p className="small muted">
          <OtherTab path="/console/sign-in" /> {t('otherTabNext')}
        </p>
      )}
    </Dialog>
  )
}

/** Over a page whose organization asks for its single sign-on since the page was opened. */
export function ClosedMeanwhile({ slug }: { slug: string }) {
  const t = useWords(words)
  const queries = useQueryClient()
  const look = async () => {
    const { closedBy } = await unwrap(apiFor(slug).GET('/auth/me'))
    if (closedBy !== null) return
    closed.set(null)
    await queries.invalidateQueries()
  }
  useReturn(look)
  return (
    <Dialog
      title={t('closedTo', { name: slug })}
      subtitle={t('closedMeanwhile')}
      keep
      onClose={() => location.assign('/console')}
    >
      <OtherTab path={`/console/${slug}/overview`} />
    </Dialog>
  )
}

function OtherTab({ path }: { path: string }) {
  const t = useWords(words)
  return (
    <a href={path} target="_blank" rel="noreferrer">
      {t('otherTab')}
    </a>
  )
}

/** Looks again whenever the person comes back to this tab. A look that fails changes nothing. */
function useReturn(look: () => Promise<unknown>): void {
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    const back = () => void (document.visibilityState === 'visible' && latest.current().catch(() => undefined))
    addEventListener('focus', back)
    document.addEventListener('visibilitychange', back)
    return () => {
      removeEventListener('focus', back)
      document.removeEventListener('visibilitychange', back)
    }
  }, [])
}

export function StepUpDialog() {
  const request = useStore(stepUp)
  return request === null ? null : <StepUpForm key={request.id} answer={request.answer} />
}

/** `social:google`: by the provider of a linked account. */
type Method = 'password' | 'totp' | 'sso' | `social:${string}`
const SOCIAL = 'social:'

/** The identity provider of an organization can confirm only sessions that it opened itself. */
function StepUpForm({ answer }: { answer: (token: string | null) => void }) {
  const hasSignOn = useHasSignOn()
  const { data: me, error } = useRead(['me', 'confirms'], (api) => api.GET('/auth/me'))
  // A session of an identity provider cannot see the linked accounts of the person.
  const isWhole = hasSignOn && me?.confinedTo === null
  const links = useRead(['account', 'links'], (api) => api.GET('/auth/me/links'), { enabled: isWhole })
  const providers = useRead(['account', 'providers'], (api) => api.GET('/auth/oauth/providers'), { enabled: isWhole })
  if (me === undefined && error === null) return null
  const confinedTo = me?.confinedTo ?? null
  const linked = (providers.data?.providers ?? []).filter(
    ({ id, confirms }) => confirms && links.data?.links.some(({ provider }) => provider === id),
  )
  return <Confirming confinedTo={confinedTo} linked={linked} hasApp={me?.user.mfaEnabled !== false} answer={answer} />
}

interface ConfirmingProps {
  readonly confinedTo: string | null
  /** Social providers of linked accounts that ask a person again. */
  readonly linked: readonly { readonly id: string; readonly name: string }[]
  readonly hasApp: boolean
  readonly answer: (token: string | null) => void
}

function Confirming({ confinedTo, linked, hasApp, answer }: ConfirmingProps) {
  const t = useWords(words)
  const [method, setMethod] = useState<Method>(confinedTo === null ? 'password' : 'sso')
  const [secret, setSecret] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [elsewhere, setElsewhere] = useState<string | null>(null)
  const [id] = useState(() => crypto.randomUUID())
  useEffect(() => hearConfirmation(id, answer), [id, answer])
  const isElsewhere = method === 'sso' || method.startsWith(SOCIAL)
  const byProvider = async () => {
    const returnTo = confirmedAddress(id)
    const api = apiFor(null)
    const bySso = () => {
      const path = { orgId: confinedTo ?? '' }
      return unwrap(api.POST('/auth/sso/{orgId}/attach', { params: { path }, body: { kind: 'step-up', returnTo } }))
    }
    const bySocial = () => {
      const path = { provider: method.slice(SOCIAL.length) }
      return unwrap(api.POST('/auth/oauth/{provider}/step-up', { params: { path }, body: { returnTo } }))
    }
    const { url } = await (method === 'sso' ? bySso() : bySocial())
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
      await (isElsewhere ? byProvider() : byIt())
    } catch (problem) {
      setError(problem as Error)
      setBusy(false)
    }
  }
  const provider: readonly (readonly [Method, string])[] = confinedTo === null ? [] : [['sso', t('bySignOn')]]
  const app: readonly (readonly [Method, string])[] = hasApp ? [['totp', t('app')]] : []
  const social = linked.map(({ id: provider, name }) => [`${SOCIAL}${provider}`, name] as const)
  return (
    <FormDialog
      title={t('confirmTitle')}
      subtitle={t('confirmWhy')}
      submit={t(isElsewhere ? 'toProvider' : 'verify')}
      busy={isBusy}
      disabled={!isElsewhere && secret === ''}
      problem={<Refused error={error} />}
      onSubmit={() => void send()}
      onClose={() => answer(null)}
    >
      <Segments
        label={t('method')}
        value={method}
        options={[...provider, ['password', t('password')], ...app, ...social]}
        onChange={(chosen) => {
          setMethod(chosen as Method)
          setElsewhere(null)
        }}
      />
      {isElsewhere ? (
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
