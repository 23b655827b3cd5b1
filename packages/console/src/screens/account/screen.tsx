import { type FormEvent, useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { DeletionCard } from '../../data/deletion.js'
import { useEdits } from '../../data/edits.js'
import { Go } from '../../data/go.js'
import { LookFields } from '../../data/look-fields.js'
import { Loaded, Page } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { TextField } from '../../ui/field.js'
import { Message } from '../../ui/states.js'
import { notify } from '../../ui/toast.js'
import { useWords } from '../../ui/words.js'
import { Links } from './links.js'
import { words } from './words.js'

type User = components['schemas']['MeUser']

export default function Account() {
  const t = useWords(words)
  const { server } = useSession()
  const me = useRead(['me'], (api) => api.GET('/auth/me'))
  return (
    <Page title={t('title')} question={t('question')}>
      <Loaded of={me}>
        {({ user }) => (
          <div className="grid-wide">
            <div className="stack">
              <Profile of={user} />
              <Password />
            </div>
            <div className="stack">
              <section className="card stack">
                <h2>{t('look')}</h2>
                <LookFields />
                <p className="small muted">{t('lookNote')}</p>
              </section>
              <Factor of={user} />
              {server.signOn && <Links isVerified={user.isEmailVerified} />}
              <Remove of={user} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Profile({ of }: { of: User }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { form, changes, edit, settle } = useEdits({ username: of.username, email: of.pendingEmail ?? of.email })
  const save = useWrite((api, body: typeof changes) => api.PATCH('/auth/me', { body }), {
    stale: ['me'],
    done: ({ user }) =>
      user.pendingEmail !== null && user.pendingEmail !== of.pendingEmail
        ? t('mailSent', { email: user.pendingEmail })
        : t('saved'),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changes).length > 0) save.mutate(changes, { onSuccess: () => settle(changes) })
  }
  return (
    <form className="card form" noValidate onSubmit={send}>
      <h2>{t('profile')}</h2>
      <Refused error={save.error} />
      <TextField
        label={t('username')}
        hint={t('usernameHint')}
        autoComplete="username"
        spellCheck={false}
        value={form.username}
        error={issueOf(save.error, 'username')}
        onChange={(event) => edit({ username: event.target.value.trim() })}
      />
      <TextField
        label={t('email')}
        hint={t('emailHint')}
        type="email"
        autoComplete="email"
        value={form.email}
        error={issueOf(save.error, 'email')}
        onChange={(event) => edit({ email: event.target.value.trim() })}
      />
      {of.pendingEmail === null ? (
        <div className="row">
          <Badge tone={of.isEmailVerified ? 'pass' : 'warning'}>
            {t(of.isEmailVerified ? 'verified' : 'unverified')}
          </Badge>
          <span className="small muted">
            {t('since')} <When at={of.createdAt} />
          </span>
        </div>
      ) : (
        <Message
          tone="warning"
          title={t('waits', { email: of.pendingEmail })}
          actions={
            <Button busy={save.isPending} onClick={() => save.mutate({ email: of.email })}>
              {t('takeBack')}
            </Button>
          }
        >
          {t('waitsNext')}
        </Message>
      )}
      <div className="form-actions">
        <Button type="submit" kind="main" busy={save.isPending} disabled={Object.keys(changes).length === 0}>
          {c('save')}
        </Button>
      </div>
    </form>
  )
}

function Password() {
  const t = useWords(words)
  const [form, setForm] = useState({ currentPassword: '', newPassword: '' })
  const change = useWrite((api, body: typeof form) => api.POST('/auth/password/change', { body }), {
    stale: ['sessions', 'pats'],
    onDone() {
      setForm({ currentPassword: '', newPassword: '' })
      notify(t('passwordChanged'))
    },
  })
  const isEmpty = form.currentPassword === '' || form.newPassword === ''
  return (
    <form
      className="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) change.mutate(form)
      }}
    >
      <h2>{t('password')}</h2>
      <Refused error={change.error} />
      <TextField
        label={t('current')}
        type="password"
        autoComplete="current-password"
        value={form.currentPassword}
        onChange={(event) => setForm({ ...form, currentPassword: event.target.value })}
      />
      <TextField
        label={t('fresh')}
        hint={t('passwordNote')}
        type="password"
        autoComplete="new-password"
        value={form.newPassword}
        error={issueOf(change.error, 'newPassword')}
        onChange={(event) => setForm({ ...form, newPassword: event.target.value })}
      />
      <div className="form-actions">
        <Button type="submit" kind="main" busy={change.isPending} disabled={isEmpty}>
          {t('changePassword')}
        </Button>
      </div>
    </form>
  )
}

function Factor({ of }: { of: User }) {
  const t = useWords(words)
  return (
    <section className="card stack-small">
      <div className="row-between">
        <h2>{t('factor')}</h2>
        <Badge tone={of.mfaEnabled ? 'pass' : 'warning'}>{t(of.mfaEnabled ? 'factorOn' : 'factorOff')}</Badge>
      </div>
      <Go to="access" search={{ tab: 'mfa' }}>
        {t('factorGo')}
      </Go>
    </section>
  )
}

function Remove({ of }: { of: User }) {
  const t = useWords(words)
  const remove = useWrite((api, _: null) => api.DELETE('/auth/me'), {
    stale: [],
    onDone: () => location.assign('/console/sign-in'),
  })
  return (
    <DeletionCard title={t('remove')} typed={of.username} by={remove} input={null}>
      {t('removeNote')}
    </DeletionCard>
  )
}
