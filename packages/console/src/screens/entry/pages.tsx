/** Registration, password reset, and e-mail addresses: the pages that links in e-mails open. */
import { ApiError } from '@plumbline/client'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { BY_COOKIE, signedOut } from '../../data/client.js'
import { tellConfirmation } from '../../data/confirmation.js'
import { issueOf, Refused } from '../../data/refused.js'
import { Button } from '../../ui/basics.js'
import { TextField } from '../../ui/field.js'
import { Message, Skeleton } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { Form, Gate } from './frame.js'
import { useLinkToken, useSearchText } from './link-token.js'
import { SignInForm } from './sign-in-form.js'
import { OtherWays } from './sign-on.js'
import { words } from './words.js'

/** Accepts only paths of the console itself, so that a link cannot lead to another site. */
export const safeNext = (next: unknown): string =>
  typeof next === 'string' && /^\/(console|invite)\/[^\\]*$/.test(next) && !next.startsWith('//') ? next : '/console'

/** Goes on as the person who has just signed in. */
export function useEnter(): (next: string) => void {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (next) => {
    signedOut.set(false)
    queries.clear()
    void navigate({ href: next })
  }
}

export function SignInPage() {
  const t = useWords(words)
  const next = safeNext(useSearchText('next'))
  const enter = useEnter()
  const config = useRead(['config'], (api) => api.GET('/config'))
  const isOpen = config.data?.registration === 'open'
  return (
    <Gate
      title={t('signIn')}
      foot={
        <>
          <Link to="/console/forgot-password">{t('forgot')}</Link>
          {isOpen && <Link to="/console/register">{t('register')}</Link>}
        </>
      }
    >
      <SignInForm onDone={() => enter(next)} next={next} />
      <OtherWays next={next} />
    </Gate>
  )
}

export function RegisterPage() {
  const t = useWords(words)
  const enter = useEnter()
  const [form, setForm] = useState({ username: '', email: '', password: '', organizationName: '' })
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value })
  const login = useWrite(
    (api, body: { identifier: string; password: string }) =>
      api.POST('/auth/login', { params: { query: BY_COOKIE }, body }),
    { onDone: () => enter('/console') },
  )
  const register = useWrite(
    (api, { organizationName, ...body }: typeof form) =>
      api.POST('/auth/register', { body: { ...body, ...(organizationName === '' ? {} : { organizationName }) } }),
    { done: t('registered'), onDone: () => login.mutate({ identifier: form.username, password: form.password }) },
  )
  return (
    <Gate title={t('register')} foot={<Link to="/console/sign-in">{t('back')}</Link>}>
      <Form onSend={() => register.mutate(form)}>
        <Refused error={register.error ?? login.error} />
        <TextField
          label={t('username')}
          autoComplete="username"
          value={form.username}
          error={issueOf(register.error, 'username')}
          onChange={set('username')}
        />
        <TextField
          label={t('email')}
          type="email"
          autoComplete="email"
          value={form.email}
          error={issueOf(register.error, 'email')}
          onChange={set('email')}
        />
        <TextField
          label={t('password')}
          hint={t('passwordHint')}
          type="password"
          autoComplete="new-password"
          value={form.password}
          error={issueOf(register.error, 'password')}
          onChange={set('password')}
        />
        <TextField
          label={t('organization')}
          hint={t('organizationHint')}
          autoComplete="organization"
          value={form.organizationName}
          onChange={set('organizationName')}
        />
        <Button
          type="submit"
          kind="main"
          busy={register.isPending || login.isPending}
          disabled={form.username === '' || form.email === '' || form.password === ''}
        >
          {t('register')}
        </Button>
      </Form>
    </Gate>
  )
}

export function ForgotPage() {
  const t = useWords(words)
  const [email, setEmail] = useState('')
  const ask = useWrite((api, body: { email: string }) => api.POST('/auth/password/forgot', { body }))
  return (
    <Gate title={t('forgot')} foot={<Link to="/console/sign-in">{t('back')}</Link>}>
      {ask.isSuccess ? (
        <Message tone="pass" live>
          {t('linkSent')}
        </Message>
      ) : (
        <Form onSend={() => ask.mutate({ email })}>
          <p className="muted">{t('forgotQuestion')}</p>
          <Refused error={ask.error} />
          <TextField
            label={t('email')}
            type="email"
            autoComplete="email"
            value={email}
            onChange={(e) => setEmail(e.target.value)}
          />
          <Button type="submit" kind="main" busy={ask.isPending} disabled={email === ''}>
            {t('sendLink')}
          </Button>
        </Form>
      )}
    </Gate>
  )
}

const isDead = (error: Error | null): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 404 || error.status === 410)

function DeadLink() {
  const t = useWords(words)
  return (
    <Message
      tone="critical"
      title={t('deadLink')}
      live
      actions={<Link to="/console/forgot-password">{t('askAgain')}</Link>}
    >
      {t('deadLinkNext')}
    </Message>
  )
}

/**
 * Signs in with the link that the server prints for its demo. The secret is in the fragment, which browsers do not send
 * to a server. It is removed from the address before it is used.
 */
export function LinkPage() {
  const t = useWords(words)
  const enter = useEnter()
  const [token] = useState(() => location.hash.slice(1))
  const isSent = useRef(false)
  const use = useWrite(
    (api, body: { token: string }) => api.POST('/auth/login/link', { params: { query: BY_COOKIE }, body }),
    { stale: [], onDone: () => enter('/console') },
  )
  useEffect(() => {
    if (isSent.current || token === '') return
    isSent.current = true
    history.replaceState(history.state, '', location.pathname)
    use.mutate({ token })
  }, [token, use])
  const isOver = token === '' || isDead(use.error)
  return (
    <Gate title={t('signIn')} foot={<Link to="/console/sign-in">{t('back')}</Link>}>
      {isOver ? (
        <Message tone="critical" title={t('deadLink')} live>
          {t('deadSignInNext')}
        </Message>
      ) : use.error !== null ? (
        <Refused error={use.error} onRetry={() => use.mutate({ token })} />
      ) : (
        <Skeleton lines={2} />
      )}
    </Gate>
  )
}

export function ResetPage() {
  const t = useWords(words)
  const token = useLinkToken()
  const [password, setPassword] = useState('')
  const reset = useWrite((api, body: { token: string; password: string }) => api.POST('/auth/password/reset', { body }))
  const problem = isDead(reset.error) ? <DeadLink /> : <Refused error={reset.error} />
  return (
    <Gate title={t('setPassword')} foot={<Link to="/console/sign-in">{t('back')}</Link>}>
      {token === '' ? (
        <DeadLink />
      ) : reset.isSuccess ? (
        <Message tone="pass" live actions={<Link to="/console/sign-in">{t('signIn')}</Link>}>
          {t('passwordSet')}
        </Message>
      ) : (
        <Form onSend={() => reset.mutate({ token, password })}>
          {problem}
          <TextField
            label={t('newPassword')}
            hint={t('passwordHint')}
            type="password"
            autoComplete="new-password"
            value={password}
            error={issueOf(reset.error, 'password')}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button type="submit" kind="main" busy={reset.isPending} disabled={password === ''}>
            {t('setPassword')}
          </Button>
        </Form>
      )}
    </Gate>
  )
}

function OneClick({
  title,
  done,
  path,
}: {
  title: string
  done: ReactNode
  path: '/auth/verify-email' | '/auth/email/restore'
}) {
  const t = useWords(words)
  const token = useLinkToken()
  const use = useWrite((api, body: { token: string }) => api.POST(path, { body }))
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current || token === '') return
    isSent.current = true
    use.mutate({ token })
  }, [token, use])
  return (
    <Gate title={title} foot={<Link to="/console/sign-in">{t('back')}</Link>}>
      {token === '' || isDead(use.error) ? (
        <DeadLink />
      ) : use.isSuccess ? (
        <Message tone="pass" live actions={<Link to="/console">{t('goOn')}</Link>}>
          {done}
        </Message>
      ) : use.error !== null ? (
        <Refused error={use.error} onRetry={() => use.mutate({ token })} />
      ) : (
        <Skeleton lines={2} />
      )}
    </Gate>
  )
}

export function VerifyPage() {
  const t = useWords(words)
  return <OneClick title={t('verifying')} done={t('verified')} path="/auth/verify-email" />
}

export function RestoreEmailPage() {
  const t = useWords(words)
  return <OneClick title={t('restoring')} done={t('restored')} path="/auth/email/restore" />
}

/** Shown instead of every other page while another person has set the password. */
export function MustChangePage() {
  const t = useWords(words)
  const enter = useEnter()
  const [form, setForm] = useState({ currentPassword: '', newPassword: '' })
  const change = useWrite((api, body: typeof form) => api.POST('/auth/password/change', { body }), {
    onDone: () => enter('/console'),
  })
  return (
    <Gate title={t('mustChange')}>
      <Form onSend={() => change.mutate(form)}>
        <p className="muted">{t('mustChangeQuestion')}</p>
        <Refused error={change.error} />
        <TextField
          label={t('currentPassword')}
          type="password"
          autoComplete="current-password"
          value={form.currentPassword}
          onChange={(event) => setForm({ ...form, currentPassword: event.target.value })}
        />
        <TextField
          label={t('newPassword')}
          hint={t('passwordHint')}
          type="password"
          autoComplete="new-password"
          value={form.newPassword}
          error={issueOf(change.error, 'newPassword')}
          onChange={(event) => setForm({ ...form, newPassword: event.target.value })}
        />
        <Button
          type="submit"
          kind="main"
          busy={change.isPending}
          disabled={form.currentPassword === '' || form.newPassword === ''}
        >
          {t('change')}
        </Button>
      </Form>
    </Gate>
  )
}

export function NoOrganizationPage() {
  const t = useWords(words)
  const enter = useEnter()
  const [name, setName] = useState('')
  const create = useWrite((api, body: { name: string }) => api.POST('/organization', { body }), {
    onDone: () => enter('/console'),
  })
  return (
    <Gate title={t('noOrganization')}>
      <Form onSend={() => create.mutate({ name })}>
        <p className="muted">{t('noOrganizationNext')}</p>
        <Refused error={create.error} />
        <TextField label={t('name')} value={name} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" kind="main" busy={create.isPending} disabled={name === ''}>
          {t('createOrganization')}
        </Button>
      </Form>
    </Gate>
  )
}

/** Where the identity provider leads back to after it confirmed a person for an action in another tab. */
export function ConfirmedPage() {
  const t = useWords(words)
  const [isTold] = useState(tellConfirmation)
  useEffect(() => {
    // Browsers close only tabs that a script opened; the others say that they can be closed.
    if (isTold) window.close()
  }, [isTold])
  return (
    <Gate title={t('confirmTitle')}>
      <Message tone={isTold ? 'pass' : 'warning'} live>
        {t(isTold ? 'confirmedElsewhere' : 'deadConfirmation')}
      </Message>
    </Gate>
  )
}
