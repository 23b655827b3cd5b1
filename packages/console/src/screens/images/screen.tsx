/**
 * Images of the registry: names, tags, manifests. System administrators can also copy and delete them, and see the
 * storage.
 */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { GoHere } from '../../data/go.js'
import { Loaded, Page } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { Button, Code, Facts, Prose, When } from '../../ui/basics.js'
import { Figures } from '../../ui/charts.js'
import { Confirm, Dialog, FormDialog } from '../../ui/dialog.js'
import { CheckField, TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { otherTagsOf } from './other-tags.js'
import { words } from './words.js'

type Tag = components['schemas']['Tag']
type Repository = components['schemas']['ImageRepository']
const STATE = { tagged: oneOf(['1'], ''), page: pageNumber(), sheet: text() }

export default function Images() {
  const t = useWords(words)
  const format = useFormat()
  const [{ tagged, page, sheet }, set] = useUrlState(STATE)
  const query = { ...pageOf(page), sortBy: 'repository' as const, ...(tagged === '' ? {} : { nonEmpty: true }) }
  const list = useRead(['images', query], (api) => api.GET('/images', { params: { query } }), { keep: true })
  return (
    <Page title={t('title')} question={t('question')}>
      <CheckField
        label={t('onlyTagged')}
        checked={tagged !== ''}
        onChange={(isOn) => set({ tagged: isOn ? '1' : '' })}
      />
      <Rows
        of={list}
        rows={({ repositories }) => repositories}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={(next) => set({ page: next })}
        caption={t('title')}
        rowKey={({ repository }) => repository}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: t('name'),
            primary: true,
            cell: ({ repository }) => <GoHere patch={{ sheet: repository }}>{repository}</GoHere>,
          },
          { id: 'images', head: t('images'), end: true, cell: ({ images }) => format.number(images) },
          { id: 'tags', head: t('tags'), end: true, cell: ({ tags }) => format.number(tags) },
          { id: 'bytes', head: t('size'), end: true, cell: ({ bytes }) => format.bytes(bytes) },
          { id: 'at', head: t('pushed'), cell: ({ updatedAt }) => <When at={updatedAt} relative /> },
        ]}
      />
      {sheet !== '' && <Sheet name={sheet} onClose={() => set({ sheet: '' })} />}
    </Page>
  )
}

type Doing = { kind: 'copy'; tag: string } | { kind: 'remove' } | { kind: 'manifest'; tag: string } | null

function Sheet({ name, onClose }: { name: Repository['repository']; onClose: () => void }) {
  const t = useWords(words)
  const format = useFormat()
  const { user } = useSession()
  const [doing, setDoing] = useState<Doing>(null)
  const [page, setPage] = useState(1)
  const path = { name }
  const query = { ...pageOf(page), sortBy: 'createdAt', sortOrder: 'desc' } as const
  const tags = useRead(
    ['images', 'tags', name, page],
    (api) => api.GET('/images/{name}/tags', { params: { path, query } }),
    { keep: true },
  )
  return (
    <Dialog kind="sheet" title={name} onClose={onClose} keep>
      {user.isSuperAdmin && <Storage name={name} onRemove={() => setDoing({ kind: 'remove' })} />}
      <Rows
        of={tags}
        rows={({ tags: rows }) => rows}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={setPage}
        caption={t('tags')}
        rowKey={({ tag }) => tag}
        empty={<Empty title={t('noTag')} />}
        columns={[
          {
            id: 'tag',
            head: t('tags'),
            primary: true,
            cell: ({ tag }) => (
              <Button
                kind="quiet"
                aria-label={t('manifestOf', { tag })}
                onClick={() => setDoing({ kind: 'manifest', tag })}
              >
                {tag}
              </Button>
            ),
          },
          { id: 'digest', head: t('digest'), cell: ({ digest }) => <code className="clip">{digest}</code> },
          { id: 'bytes', head: t('size'), end: true, cell: ({ bytes }) => format.bytes(bytes) },
          ...(user.isSuperAdmin
            ? [
                {
                  id: 'copy',
                  head: t('copy'),
                  cell: ({ tag }: Tag) => <Button onClick={() => setDoing({ kind: 'copy', tag })}>{t('copy')}</Button>,
                },
              ]
            : []),
        ]}
      />
      {doing?.kind === 'manifest' && <Manifest name={name} tag={doing.tag} onClose={() => setDoing(null)} />}
      {doing?.kind === 'copy' && <Copy source={`${name}:${doing.tag}`} onClose={() => setDoing(null)} />}
      {doing?.kind === 'remove' && <Remove name={name} onDone={onClose} onClose={() => setDoing(null)} />}
    </Dialog>
  )
}

function Storage({ name, onRemove }: { name: string; onRemove: () => void }) {
  const t = useWords(words)
  const format = useFormat()
  const path = { prefix: name }
  const storage = useRead(['images', 'storage', name], (api) =>
    api.GET('/admin/storage/{prefix}', { params: { path } }),
  )
  return (
    <Loaded of={storage} lines={2}>
      {({ bytes }) => (
        <div className="row-between">
          <Figures label={t('storage', { name })} value={format.bytes(bytes)} />
          <Button kind="danger" onClick={onRemove}>
            {t('remove')}
          </Button>
        </div>
      )}
    </Loaded>
  )
}

function Manifest({ name, tag, onClose }: { name: string; tag: string; onClose: () => void }) {
  const t = useWords(words)
  const format = useFormat()
  const { user } = useSession()
  const path = { name, reference: tag }
  const manifest = useRead(['images', 'manifest', name, tag], (api) =>
    api.GET('/images/{name}/manifests/{reference}', { params: { path } }),
  )
  const [isRemoving, setRemoving] = useState(false)
  return (
    <Dialog kind="wide" title={t('manifestOf', { tag })} onClose={onClose}>
      <Loaded of={manifest}>
        {({ digest, mediaType, bytes, children, manifest: content }) => (
          <>
            <Facts
              of={[
                [
                  t('digest'),
                  <code key="d" className="anywhere">
                    {digest}
                  </code>,
                ],
                [
                  t('kind'),
                  <code key="k" className="anywhere">
                    {mediaType}
                  </code>,
                ],
                [t('size'), format.bytes(bytes)],
                children.length === 0
                  ? null
                  : [
                      t('children'),
                      <span key="c" className="anywhere">
                        {children.join(', ')}
                      </span>,
                    ],
              ]}
            />
            <Code value={content} />
            {user.isSuperAdmin && (
              <div>
                <Button kind="danger" onClick={() => setRemoving(true)}>
                  {t('removeOne')}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      {isRemoving && <RemoveOne name={name} tag={tag} onDone={onClose} onClose={() => setRemoving(false)} />}
    </Dialog>
  )
}

interface RemoveOneProps {
  name: string
  tag: string
  onDone: () => void
  onClose: () => void
}

/** Deletes the image of a tag. If it has other tags, the server names them, and they are deleted only after a second click. */
function RemoveOne({ name, tag, onDone, onClose }: RemoveOneProps) {
  const t = useWords(words)
  const remove = useWrite(
    (api, force: boolean) =>
      api.DELETE('/images/{name}/manifests/{reference}', {
        params: { path: { name, reference: tag }, query: force ? { force } : {} },
      }),
    { stale: ['images'], done: t('removedOne'), onDone },
  )
  const others = otherTagsOf(remove.error)
  const hasOthers = others.length > 0
  return (
    <Confirm
      title={t('removeOne')}
      subtitle={<code className="anywhere">{`${name}:${tag}`}</code>}
      submit={t(hasOthers ? 'removeAllTags' : 'removeOne')}
      danger
      busy={remove.isPending}
      problem={<Refused error={hasOthers ? null : remove.error} />}
      onConfirm={() => remove.mutate(hasOthers)}
      onClose={onClose}
    >
      <p>{t('removeSure')}</p>
      {hasOthers && <Message tone="warning" title={t('alsoTagged', { tags: others.join(', ') })} live />}
    </Confirm>
  )
}

function Copy({ source, onClose }: { source: string; onClose: () => void }) {
  const t = useWords(words)
  const [target, setTarget] = useState('')
  const [overwrite, setOverwrite] = useState(false)
  const copy = useWrite((api, body: components['schemas']['ImageCopyBody']) => api.POST('/images/copy', { body }), {
    stale: ['images'],
    done: t('copied'),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t('copy')}
      subtitle={<code className="anywhere">{source}</code>}
      submit={t('copy')}
      busy={copy.isPending}
      disabled={target.trim() === ''}
      problem={<Refused error={copy.error} />}
      onSubmit={() => copy.mutate({ source, target: target.trim(), overwrite })}
      onClose={onClose}
    >
      <TextField
        label={t('target')}
        hint={<Prose text={t('targetHint')} />}
        value={target}
        autoFocus
        error={issueOf(copy.error, 'target')}
        onChange={(event) => setTarget(event.target.value)}
      />
      <CheckField label={t('overwrite')} checked={overwrite} onChange={setOverwrite} />
    </FormDialog>
  )
}

function Remove({ name, onDone, onClose }: { name: string; onDone: () => void; onClose: () => void }) {
  const t = useWords(words)
  const remove = useWrite((api, _: null) => api.DELETE('/images/{name}', { params: { path: { name } } }), {
    stale: ['images'],
    done: t('removed'),
    onDone,
  })
  return (
    <Deletion title={t('remove')} typed={name} by={remove} input={null} onClose={onClose}>
      {t('removeSure')}
    </Deletion>
  )
}
