import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { issueOf, Refused } from '../../data/refused.js'
import { Rows } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, CopyBox, Tags, When } from '../../ui/basics.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { CheckField, TextField } from '../../ui/field.js'
import { Empty, Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Principal = components['schemas']['ServicePrincipalCreateAnswer']['servicePrincipal']
type Created = components['schemas']['ServicePrincipalCreateAnswer']
type Scope = components['schemas']['ServicePrincipalCreateBody']['scopes'][number]
const SCOPES: readonly Scope[] = [
  'reporting:ingest',
  'registry:deploy',
  'pipelines:read',
  'plugins:read',
  'compliance:validate',
  'images:pull',
  'images:push',
  'images:scan',
]

export function Principals() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const [isMaking, setMaking] = useState(false)
  const [removed, setRemoved] = useState<Pick<Principal, 'id' | 'name'> | null>(null)
  const [made, setMade] = useState<Created | null>(null)
  const path = { id: organization.id }
  const list = useRead(['principals'], (api) => api.GET('/organization/{id}/service-principals', { params: { path } }))
  const rotate = useWrite(
    (api, pid: string) =>
      api.POST('/organization/{id}/service-principals/{pid}/rotate', { params: { path: { ...path, pid } } }),
    { stale: ['principals'], onDone: (data) => setMade(data) },
  )
  const remove = useWrite(
    (api, pid: string) =>
      api.DELETE('/organization/{id}/service-principals/{pid}', { params: { path: { ...path, pid } } }),
    { stale: ['principals'], done: t('removed') },
  )
  return (
    <>
      <div>
        <Button kind="main" onClick={() => setMaking(true)}>
          {t('newPrincipal')}
        </Button>
      </div>
      <Refused error={rotate.error} />
      <Rows
        of={list}
        rows={({ servicePrincipals }) => servicePrincipals}
        caption={t('principals')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noPrincipal')}>{t('noPrincipalNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ name, disabledAt }) => (
              <span className="row">
                {name} {disabledAt !== null && <Badge tone="warning">{t('disabled')}</Badge>}
              </span>
            ),
          },
          { id: 'client', head: t('client'), cell: ({ clientId }) => <code>{clientId}</code> },
          { id: 'scopes', head: t('scopes'), cell: ({ scopes }) => <Tags of={scopes} /> },
          { id: 'used', head: c('lastUsed'), cell: ({ lastUsedAt }) => <When at={lastUsedAt} relative /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id, name }) => (
              <span className="row">
                <Button aria-label={`${t('rotate')}: ${name}`} onClick={() => rotate.mutate(id)}>
                  {t('rotate')}
                </Button>
                <Button kind="danger" aria-label={`${c('remove')}: ${name}`} onClick={() => setRemoved({ id, name })}>
                  {c('remove')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {removed !== null && (
        <Deletion
          title={`${c('remove')}: ${removed.name}`}
          submit={c('remove')}
          typed={removed.name}
          by={remove}
          input={removed.id}
          onClose={() => setRemoved(null)}
        >
          {t('principalSure')}
        </Deletion>
      )}
      {isMaking && <NewPrincipal onMade={setMade} onClose={() => setMaking(false)} />}
      {made !== null && (
        <Dialog title={t('secretOf', { name: made.servicePrincipal.name })} onClose={() => setMade(null)} keep>
          <Message tone="warning">{t('once')}</Message>
          <CopyBox label={t('clientId')} text={made.servicePrincipal.clientId} />
          <CopyBox label={t('secretOf', { name: made.servicePrincipal.name })} text={made.clientSecret} />
        </Dialog>
      )}
    </>
  )
}

function NewPrincipal({ onMade, onClose }: { onMade: (made: Created) => void; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const make = useWrite(
    (api, body: components['schemas']['ServicePrincipalCreateBody']) =>
      api.POST('/organization/{id}/service-principals', { params: { path: { id: organization.id } }, body }),
    {
      stale: ['principals'],
      onDone(made) {
        onClose()
        onMade(made)
      },
    },
  )
  return (
    <FormDialog
      title={t('newPrincipal')}
      submit={c('create')}
      busy={make.isPending}
      disabled={name.trim() === '' || scopes.length === 0}
      problem={<Refused error={make.error} />}
      onSubmit={() => make.mutate({ name, scopes: [...scopes] })}
      onClose={onClose}
    >
      <TextField
        label={c('name')}
        autoFocus
        value={name}
        error={issueOf(make.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="field">
        <legend>{t('scopes')}</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            label={<code>{scope}</code>}
            checked={scopes.includes(scope)}
            onChange={(isOn) => setScopes(isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope))}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
