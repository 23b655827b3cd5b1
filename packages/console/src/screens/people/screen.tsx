import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Page } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, CopyBox, Tags, When } from '../../ui/basics.js'
import { Confirm, Dialog, FormDialog } from '../../ui/dialog.js'
import { AreaField, FilterBar, SelectField, TextField } from '../../ui/field.js'
import { ActionMenu, Tabs } from '../../ui/menu.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Roles } from './roles.js'
import { words } from './words.js'

type Member = components['schemas']['Member']

const ROLES = ['owner', 'admin', 'member'] as const
const STATE = {
  tab: oneOf(['members', 'invitations', 'roles', 'teams'], 'members'),
  q: text(),
  role: oneOf(ROLES, ''),
  page: pageNumber(),
}

export default function People() {
  const t = useWords(words)
  const canInvite = useCan('invitations:manage')
  const [state, set] = useUrlState(STATE)
  const [isInviting, setInviting] = useState(false)
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        canInvite && (
          <Button kind="main" icon={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
        )
      }
    >
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'members' })}
        tabs={[
          { id: 'members', label: t('members'), content: () => <Members /> },
          ...(canInvite ? [{ id: 'invitations', label: t('invitations'), content: () => <Invitations /> }] : []),
          { id: 'roles', label: t('roles'), content: () => <Roles /> },
          { id: 'teams', label: t('teams'), content: () => <Teams /> },
        ]}
      />
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  )
}

function Members() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const { organization } = useSession()
  const canManage = useCan('members:manage')
  const [state, set] = useUrlState(STATE)
  const filters = sent({ search: state.q, role: state.role })
  const query = { ...filters, ...pageOf(state.page) } as const
  const list = useRead(
    ['members', query],
    (api, signal) =>
      api.GET('/organization/{id}/members', { params: { path: { id: organization.id }, query }, signal }),
    { keep: true },
  )
  return (
    <>
      <FilterBar
        text={{ label: t('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[{ name: 'role', label: c('role'), value: state.role, options: optionsOf(ROLES, label) }]}
        onChange={(name, value) => set({ [name]: value })}
      />
      <Rows
        of={list}
        rows={({ members }) => members}
        total={({ pagination }) => pagination.total}
        caption={t('members')}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={Object.keys(filters).length > 0 ? () => set({ q: '', role: '' }) : undefined}
        empty={<Empty title={t('nobody')} />}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ username, email, isEmailVerified }) => (
              <>
                <div className="strong">{username}</div>
                <div className="small muted">
                  {email}
                  {!isEmailVerified && ` · ${t('unverified')}`}
                </div>
              </>
            ),
          },
          {
            id: 'role',
            head: c('role'),
            cell: ({ role }) => <Badge tone={role === 'member' ? 'plain' : 'accent'}>{label(role)}</Badge>,
          },
          { id: 'roles', head: t('roles'), cell: ({ roles }) => <Tags of={roles.map(({ name }) => name)} /> },
          {
            id: 'state',
            head: c('state'),
            cell: ({ isActive }) => (
              <Badge tone={isActive ? 'pass' : 'plain'}>{t(isActive ? 'active' : 'inactive')}</Badge>
            ),
          },
          { id: 'seen', head: t('lastSeen'), cell: ({ lastActiveAt }) => <When at={lastActiveAt} relative /> },
          { id: 'do', head: c('action'), end: true, cell: (member) => canManage && <MemberMenu of={member} /> },
        ]}
      />
    </>
  )
}

function MemberMenu({ of }: { of: Member }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization, user } = useSession()
  const [isRemoving, setRemoving] = useState(false)
  const [isHandingOver, setHandingOver] = useState(false)
  const path = { id: organization.id, userId: of.id }
  const options = { stale: ['members'], done: t('changed') }
  const role = useWrite(
    (api, next: 'admin' | 'member') =>
      api.PATCH('/organization/{id}/members/{userId}', { params: { path }, body: { role: next } }),
    options,
  )
  const activate = useWrite(
    (api, isActive: boolean) =>
      isActive
        ? api.PATCH('/organization/{id}/members/{userId}/activate', { params: { path } })
        : (api.PATCH('/organization/{id}/members/{userId}/deactivate', { params: { path } }) as never),
    options,
  )
  const remove = useWrite((api, _: null) => api.DELETE('/organization/{id}/members/{userId}', { params: { path } }), {
    ...options,
    onDone: () => setRemoving(false),
  })
  const handOver = useWrite(
    (api, _: null) =>
      api.PATCH('/organization/{id}/transfer-owner', {
        params: { path: { id: organization.id } },
        body: { newOwnerId: of.id },
      }),
    { done: t('handedOver') },
  )
  if (of.isOwner || of.id === user.id) return null
  const error = role.error ?? activate.error
  return (
    <>
      <ActionMenu
        label={`${c('action')}: ${of.username}`}
        face="⋯"
        choices={[
          {
            id: 'role',
            label: t(of.role === 'admin' ? 'makeMember' : 'makeAdmin'),
            onChoose: () => role.mutate(of.role === 'admin' ? 'member' : 'admin'),
          },
          {
            id: 'active',
            label: t(of.isActive ? 'deactivate' : 'activate'),
            onChoose: () => activate.mutate(!of.isActive),
          },
          ...(organization.role === 'owner' && of.isActive
            ? [{ id: 'owner', label: t('handOver'), onChoose: () => setHandingOver(true) }]
            : []),
          { id: 'remove', label: t('remove'), onChoose: () => setRemoving(true) },
        ]}
      />
      {error !== null && (
        <Dialog
          title={of.username}
          onClose={() => {
            role.reset()
            activate.reset()
          }}
        >
          <Refused error={error} />
        </Dialog>
      )}
      {isHandingOver && (
        <Deletion
          title={t('handOver')}
          typed={of.username}
          by={handOver}
          input={null}
          onClose={() => setHandingOver(false)}
        >
          {t('handOverText', { name: of.username, organization: organization.name })}
        </Deletion>
      )}
      {isRemoving && (
        <Confirm
          title={t('remove')}
          submit={t('remove')}
          danger
          busy={remove.isPending}
          problem={<Refused error={remove.error} />}
          onConfirm={() => remove.mutate(null)}
          onClose={() => setRemoving(false)}
        >
          <p>{t('removeText', { name: of.username, organization: organization.name })}</p>
        </Confirm>
      )}
    </>
  )
}

function Invite({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [form, setForm] = useState({ email: '', role: 'member', message: '' })
  const [link, setLink] = useState<string | null>(null)
  const invite = useWrite(
    (api, { message, role, email }: typeof form) =>
      api.POST('/invitation/send', { body: { email, role: role as 'member', ...(message === '' ? {} : { message }) } }),
    {
      stale: ['invitations'],
      done: ({ acceptUrl }) => t(acceptUrl === undefined ? 'invited' : 'invitationMade'),
      onDone({ acceptUrl }) {
        if (acceptUrl === undefined) onClose()
        else setLink(acceptUrl)
      },
    },
  )
  if (link !== null)
    return (
      <Dialog title={t('invite')} onClose={onClose} keep>
        <Message tone="warning">{t('inviteLink')}</Message>
        <CopyBox label={t('link')} text={link} />
      </Dialog>
    )
  return (
    <FormDialog
      title={t('invite')}
      submit={t('invite')}
      busy={invite.isPending}
      disabled={form.email === ''}
      problem={<Refused error={invite.error} />}
      onSubmit={() => invite.mutate(form)}
      onClose={onClose}
    >
      <TextField
        label={t('email')}
        type="email"
        autoFocus
        error={issueOf(invite.error, 'email')}
        value={form.email}
        onChange={(event) => setForm({ ...form, email: event.target.value })}
      />
      <SelectField
        label={c('role')}
        value={form.role}
        options={optionsOf(['member', 'admin'], label)}
        onChange={(role) => setForm({ ...form, role })}
      />
      <AreaField
        label={t('message')}
        value={form.message}
        onChange={(event) => setForm({ ...form, message: event.target.value })}
      />
    </FormDialog>
  )
}

function Invitations() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const query = pageOf(state.page)
  const list = useRead(['invitations', query], (api) => api.GET('/invitation', { params: { query } }), { keep: true })
  const resend = useWrite((api, id: string) => api.POST('/invitation/{id}/resend', { params: { path: { id } } }), {
    stale: ['invitations'],
    done: t('resent'),
  })
  const revoke = useWrite((api, id: string) => api.DELETE('/invitation/{id}', { params: { path: { id } } }), {
    stale: ['invitations'],
    done: t('revoked'),
  })
  return (
    <>
      <Refused error={resend.error ?? revoke.error} />
      <Rows
        of={list}
        rows={({ invitations }) => invitations}
        total={({ pagination }) => pagination.total}
        caption={t('invitations')}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        empty={<Empty title={t('noInvitation')} />}
        columns={[
          { id: 'email', head: t('email'), primary: true, cell: ({ email }) => email },
          { id: 'role', head: c('role'), cell: ({ role }) => label(role) },
          { id: 'status', head: c('status'), cell: ({ status }) => <Badge>{label(status)}</Badge> },
          { id: 'until', head: t('until'), cell: ({ expiresAt }) => <When at={expiresAt} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id, status }) =>
              status === 'pending' && (
                <span className="row">
                  <Button onClick={() => resend.mutate(id)}>{t('resend')}</Button>
                  <Button kind="danger" onClick={() => revoke.mutate(id)}>
                    {t('revoke')}
                  </Button>
                </span>
              ),
          },
        ]}
      />
    </>
  )
}

function Teams() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const canManage = useCan('org:settings')
  const [isMaking, setMaking] = useState(false)
  const [name, setName] = useState('')
  const list = useRead(['teams'], (api) =>
    api.GET('/organization/{id}/teams', { params: { path: { id: organization.id } } }),
  )
  const make = useWrite((api, body: { name: string; parentOrgId: string }) => api.POST('/organization', { body }), {
    done: t('teamMade'),
    onDone: () => setMaking(false),
  })
  return (
    <>
      {canManage && (
        <div>
          <Button onClick={() => setMaking(true)}>{t('newTeam')}</Button>
        </div>
      )}
      <Rows
        of={list}
        rows={({ teams }) => teams}
        caption={t('teams')}
        rowKey={({ orgId }) => orgId}
        empty={<Empty title={t('noTeam')}>{t('noTeamNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ orgName, slug }) => <a href={`/console/${slug}/overview`}>{orgName}</a>,
          },
          { id: 'count', head: t('count'), end: true, cell: ({ memberCount }) => String(memberCount) },
        ]}
      />
      {isMaking && (
        <FormDialog
          title={t('newTeam')}
          submit={c('create')}
          busy={make.isPending}
          disabled={name.trim() === ''}
          problem={<Refused error={make.error} />}
          onSubmit={() => make.mutate({ name, parentOrgId: organization.id })}
          onClose={() => setMaking(false)}
        >
          <TextField label={c('name')} autoFocus value={name} onChange={(event) => setName(event.target.value)} />
        </FormDialog>
      )}
    </>
  )
}
