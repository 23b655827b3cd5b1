/** User name, password, and the second factor if the account has one. Used on the sign-in page and in a dialog. */
import { ApiError } from '@plumbline/client'
import { useState } from 'react'
import { useWrite } from '../../data/api.js'
import { BY_COOKIE } from '../../data/client.js'
import { codeOf } from '../../data/one-time-code.js'
import { Refused } from '../../data/refused.js'
import { Button } from '../../ui/basics.js'
import { TextField } from '../../ui/field.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { Form } from './frame.js'
import { ToProvider } from './sign-on.js'
import { words } from './words.js'

interface SignInFormProps {
  readonly onDone: () => void
  /** Where a sign-in with an identity provider leads to. */
  readonly next?: string
}

export function SignInForm({ onDone, next = '/console' }: SignInFormProps) {
  const [challenge, setChallenge] = useState<string | null>(null)
  if (challenge !== null) return <CodeForm challenge={challenge} onDone={onDone} onBack={() => setChallenge(null)} />
  return <PasswordForm onDone={onDone} next={next} onChallenge={setChallenge} />
}

interface PasswordFormProps extends Required<SignInFormProps> {
  readonly onChallenge: (token: string) => void
}

function PasswordForm({ onDone, next, onChallenge }: PasswordFormProps) {
  const t = useWords(words)
  const [identifier, setIdentifier] = useState('')
  const [password, setPassword] = useState('')
  const login = useWrite(
    (api, body: { identifier: string; password: string }) =>
      api.POST('/auth/login', { params: { query: BY_COOKIE }, body }),
    { stale: [], onDone },
  )
  const send = () =>
    login.mutate(
      { identifier, password },
      {
        onError(error) {
          if (error instanceof ApiError && error.code === 'MFA_REQUIRED')
            onChallenge(String(error.details.challengeToken))
        },
      },
    )
  const refused = login.error instanceof ApiError ? login.error : null
  if (refused?.code === 'SSO_REQUIRED') {
    return (
      <div className="stack-small">
        <Message tone="warning" title={t('onlySignOn')} live>
          {t('onlySignOnNext')}
        </Message>
        <ToProvider orgId={String(refused.details['organizationId'])} next={next} />
        <Button kind="quiet" onClick={() => login.reset()}>
          {t('back')}
        </Button>
      </div>
    )
  }
  return (
    <Form onSend={send}>
      {!window.isSecureContext && (
        <Message tone="warning" title={t('plainHttp')}>
          {t('plainHttpNext')}
        </Message>
      )}
      {refused?.code === 'UNAUTHORIZED' ? (
        <Message tone="critical" title={t('wrong')} live>
          {t('wrongNext')}
        </Message>
      ) : (
        <Refused error={login.error} />
      )}
      <TextField
        label={t('identifier')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={identifier}
        onChange={(event) => setIdentifier(event.target.value)}
      />
      <TextField
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" kind="main" busy={login.isPending} disabled={identifier === '' || password === ''}>
        {t('signIn')}
      </Button>
    </Form>
  )
}

interface CodeFormProps {
  challenge: string
  onDone: () => void
  onBack: () => void
}

function CodeForm({ challenge, onDone, onBack }: CodeFormProps) {
  const t = useWords(words)
  const [code, setCode] = useState('')
  const login = useWrite(
    (api, body: { challengeToken: string; code: string }) =>
      api.POST('/auth/login/mfa', { params: { query: BY_COOKIE }, body }),
    { stale: [], onDone },
  )
  const isWrong = login.error instanceof ApiError && login.error.code === 'UNAUTHORIZED'
  return (
    <Form onSend={() => login.mutate({ challengeToken: challenge, code: codeOf(code) })}>
      <h2>{t('secondFactor')}</h2>
      {isWrong ? (
        <Message tone="critical" title={t('wrongCode')} live>
          {t('wrongCodeNext')}
        </Message>
      ) : (
        <Refused error={login.error} />
      )}
      <TextField
        label={t('code')}
        hint={t('codeHint')}
        name="one-time-code"
        autoComplete="one-time-code"
        inputMode="text"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" kind="main" busy={login.isPending} disabled={codeOf(code).length < 6}>
        {t('verify')}
      </Button>
      <Button kind="quiet" onClick={onBack}>
        {t('back')}
      </Button>
    </Form>
  )
}
