/** One policy: its rules, its versions, its effect on the inventory, and its actions. */
import { useState } from 'react'
import { type components, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Go, GoHere } from '../../data/go.js'
import { Refused } from '../../data/refused.js'
import { Rows } from '../../data/rows.js'
import { useCan, useSession } from '../../data/session.js'
import { useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, Facts, Prose, Tags, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { Tabs } from '../../ui/menu.js'
import { useWords } from '../../ui/words.js'
import { Effect } from './effect.js'
import { PolicyForm } from './form.js'
import { STATE, useVersions } from './state.js'
import { words } from './words.js'

type Policy = components['schemas']['Policy']

export function StateOf({ of }: { of: Policy }) {
  const t = useWords(words)
  if (of.isTemplate || of.isPublished) return <Badge tone="accent">{t('template')}</Badge>
  return <Badge tone={of.isActive ? 'pass' : 'plain'}>{t(of.isActive ? 'active' : 'inactive')}</Badge>
}

export function PolicySheet({ of }: { of: Policy }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const canReadAudit = useCan('audit:read')
  const [state, set] = useUrlState(STATE)
  // The list behind the sheet stays on its page.
  const { page } = state
  const close = () => set({ sheet: '', part: 'rules', against: '', versions: 1, page })
  return (
    <Dialog kind="sheet" title={of.name} subtitle={`${t('version')} ${of.version}`} onClose={close}>
      {of.description !== null && (
        <p>
          <Prose text={of.description} />
        </p>
      )}
      <Facts
        of={[
          [c('state'), <StateOf key="s" of={of} />],
          [c('tags'), <Tags key="t" of={of.tags} />],
          [c('updated'), <When key="u" at={of.updatedAt} />],
          canReadAudit
            ? [
                t('changes'),
                <Go key="c" to="audit" search={{ target: of.id }}>
                  {t('inAudit')}
                </Go>,
              ]
            : null,
        ]}
      />
      <Actions of={of} onClose={close} />
      <Tabs
        label={of.name}
        value={state.part}
        onChange={(part) => set({ part: part as 'rules', page })}
        tabs={[
          { id: 'rules', label: t('members'), content: () => <Members of={of} /> },
          { id: 'versions', label: t('versions'), content: () => <Versions of={of} /> },
          { id: 'effect', label: t('effect'), content: () => <Effect of={of} /> },
        ]}
      />
    </Dialog>
  )
}

function Members({ of }: { of: Policy }) {
  const t = useWords(words)
  if (of.rules.length === 0) return <p className="muted">{t('noMembers')}</p>
  return (
    <ul className="plain-list">
      {of.rules.map(({ id, name }) => (
        <li key={id}>
          <Go to={`rules/${id}`}>{name}</Go>
        </li>
      ))}
    </ul>
  )
}

function Versions({ of }: { of: Policy }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [state, set] = useUrlState(STATE)
  return (
    <Rows
      of={useVersions(of.id, state.versions)}
      rows={({ versions }) => versions}
      total={({ pagination }) => pagination.total}
      caption={t('versions')}
      rowKey={({ id }) => id}
      page={state.versions}
      onPage={(versions) => set({ versions, page: state.page })}
      empty={null}
      columns={[
        {
          id: 'version',
          head: t('version'),
          primary: true,
          cell: ({ id, version }) =>
            id === of.id ? (
              <strong>{t('thisOne', { version })}</strong>
            ) : (
              <GoHere patch={{ sheet: id }}>{version}</GoHere>
            ),
        },
        { id: 'state', head: c('state'), cell: (version) => <StateOf of={version} /> },
        { id: 'rules', head: t('count'), end: true, cell: ({ rules }) => String(rules.length) },
        {
          id: 'compare',
          head: t('effect'),
          cell: ({ id, version }) =>
            id === of.id ? null : (
              <GoHere patch={{ part: 'effect', against: id }}>{t('compareWith', { version })}</GoHere>
            ),
        },
      ]}
    />
  )
}

function Actions({ of, onClose }: { of: Policy; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const canWrite = useCan('compliance:write')
  const [state, set] = useUrlState(STATE)
  const [form, setForm] = useState<'edit' | 'version' | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const params = { path: { id: of.id } }
  const clone = useWrite((api, _: null) => api.POST('/compliance/policies/{id}/clone', { params, body: {} }), {
    done: t('cloned'),
    onDone: onClose,
  })
  const remove = useWrite((api, _: null) => api.DELETE('/compliance/policies/{id}', { params }), {
    done: t('removed'),
    onDone: onClose,
  })
  if (!canWrite) return null
  return (
    <>
      <Refused error={clone.error} />
      <div className="row">
        {of.orgId === organization.id ? (
          <>
            <Button kind="main" onClick={() => setForm('edit')}>
              {c('edit')}
            </Button>
            <Button onClick={() => setForm('version')}>{t('newVersion')}</Button>
            <Button kind="danger" onClick={() => setRemoving(true)}>
              {t('remove')}
            </Button>
          </>
        ) : (
          <Button kind="main" busy={clone.isPending} onClick={() => clone.mutate(null)}>
            {t('clone')}
          </Button>
        )}
      </div>
      {isRemoving && (
        <Deletion title={t('remove')} by={remove} input={null} onClose={() => setRemoving(false)}>
          {t('removeText')}
        </Deletion>
      )}
      {form !== null && (
        <PolicyForm
          of={of}
          isVersion={form === 'version'}
          onClose={() => setForm(null)}
          onCreated={(sheet) => set({ sheet, part: 'effect', against: '', versions: 1, page: state.page })}
        />
      )}
    </>
  )
}
