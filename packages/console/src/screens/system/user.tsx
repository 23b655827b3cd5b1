/** One account of the server, and what an administrator can do with it. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Loaded } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Button, CopyBox, Facts, When } from '../../ui/basics.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { AreaField, CheckField } from '../../ui/field.js'
import { notify } from '../../ui/toast.js'
import { useWords } from '../../ui/words.js'
import { useActing } from './act.js'
import { Features } from './features.js'
import { UserMarks } from './marks.js'
import { words } from './words.js'

type User = components['schemas']['User']

export function UserSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(words)
  const user = useRead(['system', 'users', 'one', id], (api) =>
    api.GET('/admin/users/{id}', { params: { path: { id } } }),
  )
  return (
    <Dialog
      kind="sheet"
      title={user.data?.user.username ?? t('account')}
      subtitle={user.data?.user.email}
      onClose={onClose}
    >
      <Loaded of={user}>{({ user: of }) => <View of={of} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

function View({ of, onClose }: { of: User; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  return (
    <div className="stack">
      <Facts
        of={[
          [c('state'), <UserMarks key="s" of={of} />],
          [
            t('memberships'),
            of.memberships.length === 0 ? (
              <span key="m" className="muted">
                {t('noMembership')}
              </span>
            ) : (
              <ul key="m" className="plain-list">
                {of.memberships.map(({ orgId, name, isOwner, isActive }) => (
                  <li key={orgId}>
                    {name}
                    {isOwner && ` · ${t('owner')}`}
                    {!isActive && ` · ${t('isInactive')}`}
                  </li>
                ))}
              </ul>
            ),
          ],
          [t('lastSeen'), <When key="l" at={of.lastActiveAt} />],
          [c('created'), <When key="c" at={of.createdAt} />],
        ]}
      />
      <Actions of={of} onClose={onClose} />
    </div>
  )
}

type Doing = 'act' | 'features' | 'remove' | null

function Actions({ of, onClose }: { of: User; onClose: () => void }) {
  const t = useWords(words)
  const { user: self } = useSession()
  const [doing, setDoing] = useState<Doing>(null)
  const [link, setLink] = useState<string | null>(null)
  const path = { id: of.id }
  const options = { stale: ['system'], done: t('changed') }
  const activate = useWrite(
    (api, isActive: boolean) => api.PUT('/admin/users/{id}', { params: { path }, body: { isActive } }),
    options,
  )
  const grant = useWrite((api, _: null) => api.POST('/admin/users/{id}/superadmin', { params: { path } }), options)
  const revoke = useWrite((api, _: null) => api.DELETE('/admin/users/{id}/superadmin', { params: { path } }), options)
  const reset = useWrite((api, _: null) => api.POST('/admin/users/{id}/reset-password', { params: { path } }), {
    stale: ['system'],
    onDone: ({ resetUrl }) => (resetUrl === undefined ? notify(t('sentTo', { email: of.email })) : setLink(resetUrl)),
  })
  const remove = useWrite((api, _: null) => api.DELETE('/admin/users/{id}', { params: { path } }), {
    stale: ['system'],
    done: t('removed'),
    onDone: onClose,
  })
  const isSelf = of.id === self.id
  return (
    <>
      <Refused error={activate.error ?? grant.error ?? revoke.error ?? reset.error} />
      <div className="row">
        {!isSelf && !of.isSuperAdmin && of.isActive && (
          <Button kind="main" onClick={() => setDoing('act')}>
            {t('act')}
          </Button>
        )}
        <Button busy={reset.isPending} onClick={() => reset.mutate(null)}>
          {t('resetPassword')}
        </Button>
        <Button onClick={() => setDoing('features')}>{t('features')}</Button>
        {!isSelf && (
          <>
            <Button busy={activate.isPending} onClick={() => activate.mutate(!of.isActive)}>
              {t(of.isActive ? 'deactivate' : 'activate')}
            </Button>
            <Button
              busy={grant.isPending || revoke.isPending}
              onClick={() => (of.isSuperAdmin ? revoke : grant).mutate(null)}
            >
              {t(of.isSuperAdmin ? 'revoke' : 'grant')}
            </Button>
            <Button kind="danger" onClick={() => setDoing('remove')}>
              {t('remove')}
            </Button>
          </>
        )}
      </div>
      {link !== null && <LinkDialog link={link} onClose={() => setLink(null)} />}
      {doing === 'features' && <Features of={of} onClose={() => setDoing(null)} />}
      {doing === 'act' && <Act of={of} onClose={() => setDoing(null)} />}
      {doing === 'remove' && (
        <Deletion title={t('remove')} typed={of.username} by={remove} input={null} onClose={() => setDoing(null)}>
          {t('removeNote')}
        </Deletion>
      )}
    </>
  )
}

const REASON_MIN = 10

function Act({ of, onClose }: { of: User; onClose: () => void }) {
  const t = useWords(words)
  const [reason, setReason] = useState('')
  const [isReadOnly, setReadOnly] = useState(true)
  const act = useActing(of)
  return (
    <FormDialog
      title={t('act')}
      subtitle={of.username}
      submit={t('act')}
      danger
      busy={act.isPending}
      disabled={reason.trim().length < REASON_MIN}
      problem={<Refused error={act.error} />}
      onSubmit={() => act.mutate({ reason: reason.trim(), readOnly: isReadOnly })}
      onClose={onClose}
    >
      <p>{t('actNote')}</p>
      <AreaField
        label={t('reason')}
        hint={t('reasonHint')}
        autoFocus
        value={reason}
        error={issueOf(act.error, 'reason')}
        onChange={(event) => setReason(event.target.value)}
      />
      <CheckField label={t('readOnly')} checked={isReadOnly} onChange={setReadOnly} />
    </FormDialog>
  )
}

export function LinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const t = useWords(words)
  return (
    <Dialog title={t('linkTitle')} onClose={onClose} keep>
      <p>{t('linkNote')}</p>
      <CopyBox label={t('link')} text={link} />
    </Dialog>
  )
}
