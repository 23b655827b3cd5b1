import { useQueryClient } from '@tanstack/react-query'
import { PenLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type components, useOrganization, useRead, useWrite } from '../../data/api.js'
import { GoHere } from '../../data/go.js'
import { Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { Entries, optionsOf, pageOf, Rows, sent, useOpenRow } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { valueWords } from '../../data/words.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { AreaField, FilterBar } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Attach, type Attachment, Attachments } from './attachments.js'
import { Compose } from './compose.js'
import { words } from './words.js'

type Message = components['schemas']['Message']
/** What the reads of this screen hold: a page of the list, or the message that a link leads to. */
type Loaded = { readonly messages: readonly Message[] } | { readonly message: Message }

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
  const readAll = useWrite((api, _: null) => api.PUT('/messages/read-all'), {
    stale: ['messages', 'unread'],
    done: t('allRead'),
  })
  const canWrite = useCan('messages:write')
  const [isWriting, setWriting] = useState(false)
  const listed = list.data?.messages.find(({ id }) => id === state.sheet)
  // A link may lead to a message on another page. The filter for unread ones hides the open message once the list is loaded again.
  const linked = useRead(
    ['messages', 'one', state.sheet],
    (api, signal) => api.GET('/messages/{id}', { params: { path: { id: state.sheet } }, signal }),
    { enabled: state.sheet !== '' && listed === undefined && list.data !== undefined },
  )
  const open = useOpenRow(state.sheet, listed ?? linked.data?.message)
  const isFiltered = Object.keys(filters).length > 0 || state.read !== ''
  return (
    <Page
      title={t('title')}
      question={t('question')}
      actions={
        <>
          <Button busy={readAll.isPending} onClick={() => readAll.mutate(null)}>
            {t('readAll')}
          </Button>
          {canWrite && (
            <Button kind="main" icon={<PenLine size={16} aria-hidden />} onClick={() => setWriting(true)}>
              {t('write')}
            </Button>
          )}
        </>
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
          {
            id: 'files',
            head: t('files'),
            end: true,
            cell: ({ attachmentCount }) => (attachmentCount === 0 ? '–' : String(attachmentCount)),
          },
          { id: 'replies', head: t('replies'), end: true, cell: ({ replyCount }) => String(replyCount) },
          {
            id: 'at',
            head: t('last'),
            cell: ({ lastReplyAt, createdAt }) => <When at={lastReplyAt ?? createdAt} relative />,
          },
        ]}
      />
      <Refused error={state.sheet === '' ? null : linked.error} />
      {isWriting && <Compose onClose={() => setWriting(false)} />}
      {open !== undefined && <Thread key={open.id} of={open} onClose={() => set({ sheet: '' })} />}
    </Page>
  )
}

/** Shows a thread as read in the lists that are loaded, so that opening it does not load them again. */
function useShowAsRead(): (id: string) => void {
  const queries = useQueryClient()
  const organization = useOrganization()
  const seen = (message: Message, id: string) =>
    message.id === id ? { ...message, isRead: true, countUnread: 0 } : message
  return (id) =>
    queries.setQueriesData<Loaded>({ queryKey: [organization, 'messages'] }, (loaded) => {
      if (loaded === undefined) return loaded
      if ('message' in loaded) return { ...loaded, message: seen(loaded.message, id) }
      return { ...loaded, messages: loaded.messages.map((message) => seen(message, id)) }
    })
}

/** The newest messages of a thread; the pages lead to older ones. */
function Thread({ of, onClose }: { of: Message; onClose: () => void }) {
  const t = useWords(words)
  const canWrite = useCan('messages:write')
  const [draft, setDraft] = useState('')
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const [page, setPage] = useState(1)
  const path = { id: of.id }
  const query = { ...pageOf(page), sortOrder: 'desc' } as const
  const thread = useRead(
    ['thread', of.id, page],
    (api, signal) => api.GET('/messages/{id}/thread', { params: { path, query }, signal }),
    { keep: true },
  )
  const showAsRead = useShowAsRead()
  const { mutate: markRead } = useWrite(
    (api, id: string) => api.PUT('/messages/{id}/thread/read', { params: { path: { id } } }),
    { stale: ['unread'], onDone: (_, id) => showAsRead(id) },
  )
  const reply = useWrite(
    (api, body: components['schemas']['MessageReplyBody']) =>
      api.POST('/messages/{id}/reply', { params: { path }, body }),
    {
      stale: ['messages', 'thread', 'unread'],
      done: t('answered'),
      onDone() {
        setDraft('')
        setFiles([])
        setPage(1)
      },
    },
  )
  useEffect(() => {
    if (of.countUnread > 0) markRead(of.id)
  }, [of.id, of.countUnread, markRead])
  return (
    <Dialog kind="sheet" title={of.subject} subtitle={`${of.senderName} · ${of.senderOrgName}`} onClose={onClose} keep>
      <Entries
        of={thread}
        rows={({ messages }) => messages}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={setPage}
        empty={<Empty title={t('none')} />}
      >
        {(messages) => (
          <ol className="timeline">
            {messages.toReversed().map(({ id, senderName, createdAt, content, attachments }) => (
              <li key={id}>
                <div className="row">
                  <strong>{senderName}</strong>
                  <When at={createdAt} />
                </div>
                <p className="anywhere message-content">{content}</p>
                <Attachments of={attachments} />
              </li>
            ))}
          </ol>
        )}
      </Entries>
      {canWrite && (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault()
            const attachmentIds = files.map(({ id }) => id)
            reply.mutate({ content: draft, ...(files.length === 0 ? {} : { attachmentIds }) })
          }}
        >
          <Refused error={reply.error} />
          <AreaField label={t('yourAnswer')} value={draft} onChange={(event) => setDraft(event.target.value)} />
          <Attach files={files} onChange={setFiles} />
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
