/** The accounts of the server: create, deactivate, reset the password, impersonate. */
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { GoHere } from '../../data/go.js'
import { issueOf, Refused } from '../../data/refused.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Button, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { FilterBar, TextField } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { notify } from '../../ui/toast.js'
import { useWords } from '../../ui/words.js'
import { UserMarks } from './marks.js'
import { LinkDialog, UserSheet } from './user.js'
import { words } from './words.js'

const STATE = { q: text(), active: oneOf(['true', 'false'], ''), page: pageNumber(), sheet: text() }

export function Users() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [state, set] = useUrlState(STATE)
  const [isMaking, setMaking] = useState(false)
  const query = {
    ...sent({ search: state.q }),
    ...(state.active === '' ? {} : { isActive: state.active === 'true' }),
    ...pageOf(state.page),
    sortBy: 'username',
    sortOrder: 'asc',
  } as const
  const list = useRead(
    ['system', 'users', query],
    (api, signal) => api.GET('/admin/users', { params: { query }, signal }),
    { keep: true },
  )
  const isFiltered = state.q !== '' || state.active !== ''
  return (
    <>
      <FilterBar
        text={{ label: t('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          {
            name: 'active',
            label: t('state'),
            value: state.active,
            options: [
              ['true', t('isActive')],
              ['false', t('isInactive')],
            ],
          },
        ]}
        onChange={(_, value) => set({ active: value as 'true' })}
      >
        <Button kind="main" icon={<UserPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
          {t('newUser')}
        </Button>
      </FilterBar>
      <Rows
        of={list}
        rows={({ users }) => users}
        total={({ pagination }) => pagination.total}
        page={state.page}
        onPage={(page) => set({ page })}
        caption={t('users')}
        rowKey={({ id }) => id}
        onClear={isFiltered ? () => set({ q: '', active: '' }) : undefined}
        empty={<Empty title={t('nobody')} />}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ id, username, email }) => (
              <>
                <GoHere patch={{ sheet: id }}>{username}</GoHere>
                <div className="small muted anywhere">{email}</div>
              </>
            ),
          },
          { id: 'state', head: c('state'), cell: (user) => <UserMarks of={user} /> },
          { id: 'seen', head: t('lastSeen'), cell: ({ lastActiveAt }) => <When at={lastActiveAt} relative /> },
          { id: 'made', head: c('created'), cell: ({ createdAt }) => <When at={createdAt} /> },
        ]}
      />
      {isMaking && <NewUser onClose={() => setMaking(false)} />}
      {state.sheet !== '' && <UserSheet id={state.sheet} onClose={() => set({ sheet: '' })} />}
    </>
  )
}

function NewUser({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const [form, setForm] = useState({ username: '', email: '' })
  const [link, setLink] = useState<string | null>(null)
  const make = useWrite((api, body: typeof form) => api.POST('/admin/users', { body }), {
    stale: ['system'],
    onDone({ resetUrl, user }) {
      if (resetUrl !== undefined) return setLink(resetUrl)
      notify(t('sentTo', { email: user.email }))
      onClose()
    },
  })
  if (link !== null) return <LinkDialog link={link} onClose={onClose} />
  return (
    <FormDialog
      title={t('newUser')}
      subtitle={t('newUserNote')}
      submit={t('newUser')}
      busy={make.isPending}
      disabled={form.username.trim() === '' || form.email.trim() === ''}
      problem={<Refused error={make.error} />}
      onSubmit={() => make.mutate(form)}
      onClose={onClose}
    >
      <TextField
        label={t('username')}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={form.username}
        error={issueOf(make.error, 'username')}
        onChange={(event) => setForm({ ...form, username: event.target.value })}
      />
      <TextField
        label={t('email')}
        type="email"
        autoComplete="off"
        value={form.email}
        error={issueOf(make.error, 'email')}
        onChange={(event) => setForm({ ...form, email: event.target.value })}
      />
    </FormDialog>
  )
}
