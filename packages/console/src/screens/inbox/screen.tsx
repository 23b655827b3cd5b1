import { useEffect, useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { GoHere } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { valueWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { AreaField, FilterBar } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

type Message = components['schemas']['Message']

const PRIORITIES = ['urgent', 'high', 'normal'] as const
const STATE = {
  q: text(),
  read: oneOf(['true', 'false'], ''),
  priority: oneOf(PRIORITIES, ''),
  page: pageNumber(),
  sheet: text(),
}

export default function InboxScreen() {
  const t = useWords(words)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({ search: state.q, priority: state.priority })
  const query = {
    ...filters,
    ...(state.read === '' ? {} : { isRead: state.read === 'true' }),
    ...pageOf(state.page),
  } as const
  const list = useRead(['messages', query], (api, signal) => api.GET('/messages', { params: { query }, signal }), {
    keep: true,
  })
  const readAll = useWrite((api, _: null) => api.PUT('/messages/read-all'), { stale: ['messages'], done: t('allRead') })
  const open = list.data?.messages.find(({ id }) => id === state.sheet)
  const isFiltered = Object.keys(filters).length > 0 || state.read !== ''
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        <Button busy={readAll.isPending} onClick={() => readAll.mutate(null)}>
          {t('readAll')}
        </Button>
      }
    >
      <Refused error={readAll.error} />
      <FilterBar
        text={{ label: t('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          {
            name: 'read',
            label: t('read'),
            value: state.read,
            options: [
              ['false', t('unread')],
              ['true', t('read')],
            ],
          },
          { name: 'priority', label: t('priority'), value: state.priority, options: optionsOf(PRIORITIES, label) },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      />
      <Rows
        of={list}
        rows={({ messages }) => messages}
        total={({ pagination }) => pagination.total}
        caption={t('title')}
        rowKey={({ id }) => id}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={isFiltered ? () => set({ q: '', read: '', priority: '' }) : undefined}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
        columns={[
          {
            id: 'subject',
            head: t('subject'),
            primary: true,
            cell: ({ id, subject, isRead }) => (
              <span className="row">
                <GoHere patch={{ sheet: id }} className={isRead ? undefined : 'strong'}>
                  {subject}
                </GoHere>
                {!isRead && <Badge tone="accent">{t('unread')}</Badge>}
              </span>
            ),
          },
          { id: 'from', head: t('from'), cell: ({ senderName, senderOrgName }) => `${senderName} · ${senderOrgName}` },
          {
            id: 'priority',
            head: t('priority'),
            cell: ({ priority }) => (priority === 'normal' ? '–' : <Badge tone="warning">{label(priority)}</Badge>),
          },
          { id: 'replies', head: t('replies'), end: true, cell: ({ replyCount }) => String(replyCount) },
          {
            id: 'at',
            head: t('last'),
            cell: ({ lastReplyAt, createdAt }) => <When at={lastReplyAt ?? createdAt} relative />,
          },
        ]}
      />
      {open !== undefined && <Thread of={open} onClose={() => set({ sheet: '' })} />}
    </Page>
  )
}

function Thread({ of, onClose }: { of: Message; onClose: () => void }) {
  const t = useWords(words)
  const canWrite = useCan('messages:write')
  const [draft, setDraft] = useState('')
  const path = { id: of.id }
  const thread = useRead(['messages', 'thread', of.id], (api) =>
    api.GET('/messages/{id}/thread', { params: { path, query: { limit: 100 } } }),
  )
  const { mutate: markRead } = useWrite(
    (api, id: string) => api.PUT('/messages/{id}/thread/read', { params: { path: { id } } }),
    { stale: ['messages'] },
  )
  const reply = useWrite(
    (api, content: string) => api.POST('/messages/{id}/reply', { params: { path }, body: { content } }),
    {
      stale: ['messages'],
      done: t('answered'),
      onDone: () => setDraft(''),
    },
  )
  useEffect(() => {
    if (of.countUnread > 0) markRead(of.id)
  }, [of.id, of.countUnread, markRead])
  return (
    <Dialog kind="sheet" title={of.subject} subtitle={`${of.senderName} · ${of.senderOrgName}`} onClose={onClose} keep>
      <Loaded of={thread}>
        {({ messages }) => (
          <ol className="timeline">
            {messages.map(({ id, senderName, createdAt, content }) => (
              <li key={id}>
                <div className="row">
                  <strong>{senderName}</strong>
                  <When at={createdAt} />
                </div>
                <p className="anywhere">{content}</p>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      {canWrite && (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault()
            reply.mutate(draft)
          }}
        >
          <Refused error={reply.error} />
          <AreaField label={t('yourAnswer')} value={draft} onChange={(event) => setDraft(event.target.value)} />
          <div className="form-actions">
            <Button type="submit" kind="main" busy={reply.isPending} disabled={draft.trim() === ''}>
              {t('answer')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
