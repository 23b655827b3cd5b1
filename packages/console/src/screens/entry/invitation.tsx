/** The page behind the link of an invitation, for people with and without an account. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { BY_COOKIE } from '../../data/client.js'
import { Loaded } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { valueWords } from '../../data/words.js'
import { Button } from '../../ui/basics.js'
import { Segments, TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Form, Gate } from './frame.js'
import { useLinkToken } from './link-token.js'
import { useEnter } from './pages.js'
import { SignInForm } from './sign-in-form.js'
import { SocialWays, useHasSignOn } from './sign-on.js'
import { words } from './words.js'

export function InvitationPage() {
  const t = useWords(words)
  const label = useLabel(valueWords)
  const format = useFormat()
  const token = useLinkToken()
  const invitation = useRead(
    ['invitation', token],
    (api) => api.GET('/invitation/{id}', { params: { path: { id: token } } }),
    {
      enabled: token !== '',
    },
  )
  const me = useRead(['me'], (api) => api.GET('/auth/me'), { enabled: token !== '' })
  return (
    <Gate title={t('invitation')} foot={<Link to="/console/sign-in">{t('back')}</Link>}>
      {token === '' ? (
        <Message tone="warning" title={t('openAgain')}>
          {t('openAgainNext')}
        </Message>
      ) : (
        <Loaded of={invitation} lines={3}>
          {({ organization, role, email, expiresAt }) => (
            <>
              <div>
                <h2>{t('invitedTo', { name: organization.name })}</h2>
                <p className="muted">{t('invitedAs', { role: label(role), email, date: format.date(expiresAt) })}</p>
              </div>
              {me.data === undefined ? (
                <Stranger token={token} onSignedIn={() => void me.refetch()} />
              ) : (
                <>
                  <p>{t('signedInAs', { name: me.data.user.username })}</p>
                  <Accept token={token} />
                </>
              )}
            </>
          )}
        </Loaded>
      )}
    </Gate>
  )
}

function Accept({ token }: { token: string }) {
  const t = useWords(words)
  const enter = useEnter()
  const accept = useWrite((api, body: { token: string }) => api.POST('/invitation/accept', { body }), {
    onDone: ({ organization }) => enter(`/console/${organization.slug}/overview`),
  })
  const decline = useWrite((api, body: { token: string }) => api.POST('/invitation/decline', { body }))
  if (decline.isSuccess) return <Message live>{t('declined')}</Message>
  return (
    <>
      <Refused error={accept.error ?? decline.error} />
      <div className="row">
        <Button kind="main" busy={accept.isPending} onClick={() => accept.mutate({ token })}>
          {t('accept')}
        </Button>
        <Button busy={decline.isPending} onClick={() => decline.mutate({ token })}>
          {t('decline')}
        </Button>
      </div>
    </>
  )
}

function Stranger({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const t = useWords(words)
  const [way, setWay] = useState('new')
  const hasSignOn = useHasSignOn()
  return (
    <>
      <Segments
        label={t('method')}
        value={way}
        options={[
          ['new', t('haveNone')],
          ['known', t('haveAccount')],
        ]}
        onChange={setWay}
      />
      {way === 'known' ? <SignInForm onDone={onSignedIn} /> : <NewAccount token={token} />}
      {hasSignOn && <SocialWays begin={(provider) => ({ provider, body: { kind: 'invitation', token } })} />}
    </>
  )
}

function NewAccount({ token }: { token: string }) {
  const t = useWords(words)
  const enter = useEnter()
  const [form, setForm] = useState({ username: '', password: '' })
  const login = useWrite(
    (api, body: { identifier: string; password: string }) =>
      api.POST('/auth/login', { params: { query: BY_COOKIE }, body }),
    { onDone: () => enter('/console') },
  )
  const accept = useWrite(
    (api, body: typeof form) => api.POST('/invitation/accept-new', { body: { ...body, token } }),
    {
      onDone: () => login.mutate({ identifier: form.username, password: form.password }),
    },
  )
  return (
    <Form onSend={() => accept.mutate(form)}>
      <Refused error={accept.error ?? login.error} />
      <TextField
        label={t('username')}
        autoComplete="username"
        value={form.username}
        error={issueOf(accept.error, 'username')}
        onChange={(event) => setForm({ ...form, username: event.target.value })}
      />
      <TextField
        label={t('password')}
        hint={t('passwordHint')}
        type="password"
        autoComplete="new-password"
        value={form.password}
        error={issueOf(accept.error, 'password')}
        onChange={(event) => setForm({ ...form, password: event.target.value })}
      />
      <Button
        type="submit"
        kind="main"
        busy={accept.isPending || login.isPending}
        disabled={form.username === '' || form.password === ''}
      >
        {t('acceptNew')}
      </Button>
    </Form>
  )
}
