import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Page } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { Rows } from '../../data/rows.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, CopyBox, Tags, When } from '../../ui/basics.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { CheckField, TextField } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { Empty, Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { Mfa } from './mfa.js'
import { Principals } from './principals.js'
import { Secrets } from './secrets.js'
import { words } from './words.js'

type Permission = components['schemas']['Permission']
const STATE = { tab: oneOf(['tokens', 'sessions', 'mfa', 'principals', 'secrets'], 'tokens') }

export default function Access() {
  const t = useWords(words)
  const canSecrets = useCan('secrets:manage')
  const canPrincipals = useCan('members:manage')
  const [state, set] = useUrlState(STATE)
  return (
    <Page title={t('title')} question={t('question')}>
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'tokens' })}
        tabs={[
          { id: 'tokens', label: t('tokens'), content: () => <Tokens /> },
          { id: 'sessions', label: t('sessions'), content: () => <Sessions /> },
          { id: 'mfa', label: t('mfa'), content: () => <Mfa /> },
          ...(canPrincipals ? [{ id: 'principals', label: t('principals'), content: () => <Principals /> }] : []),
          ...(canSecrets ? [{ id: 'secrets', label: t('secrets'), content: () => <Secrets /> }] : []),
        ]}
      />
    </Page>
  )
}

function Tokens() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<{ id: string; name: string } | null>(null)
  const list = useRead(['pats'], (api) => api.GET('/auth/pats'))
  const revoke = useWrite((api, id: string) => api.DELETE('/auth/pats/{id}', { params: { path: { id } } }), {
    stale: ['pats'],
    done: t('revoked'),
  })
  return (
    <>
      <div>
        <Button kind="main" onClick={() => setMaking(true)}>
          {t('newToken')}
        </Button>
      </div>
      <Rows
        of={list}
        rows={({ pats }) => pats}
        caption={t('tokens')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noToken')}>{t('noTokenNext')}</Empty>}
        columns={[
          { id: 'name', head: c('name'), primary: true, cell: ({ name }) => name },
          { id: 'hint', head: t('hint'), cell: ({ hint }) => <code>{hint}</code> },
          {
            id: 'permissions',
            head: t('permissions'),
            cell: ({ permissions }) => (permissions === null ? t('allYours') : <Tags of={permissions} />),
          },
          { id: 'used', head: c('lastUsed'), cell: ({ lastUsedAt }) => <When at={lastUsedAt} relative /> },
          { id: 'ends', head: c('expires'), cell: ({ expiresAt }) => <When at={expiresAt} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id, name }) => (
              <Button kind="danger" aria-label={`${t('revoke')} ${name}`} onClick={() => setRevoked({ id, name })}>
                {t('revoke')}
              </Button>
            ),
          },
        ]}
      />
      {revoked !== null && (
        <Deletion
          title={`${t('revoke')} ${revoked.name}`}
          submit={t('revoke')}
          by={revoke}
          input={revoked.id}
          onClose={() => setRevoked(null)}
        >
          {t('tokenSure')}
        </Deletion>
      )}
      {isMaking && <NewToken onClose={() => setMaking(false)} />}
    </>
  )
}

const DAY_SECONDS = 86_400

function NewToken({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { permissions } = useSession()
  const [name, setName] = useState('')
  const [days, setDays] = useState('30')
  const [isLimited, setLimited] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const make = useWrite((api, body: components['schemas']['PatCreateBody']) => api.POST('/auth/pats', { body }), {
    stale: ['pats'],
  })
  if (make.data !== undefined)
    return (
      <Dialog title={name} onClose={onClose} keep>
        <Message tone="warning">{t('once')}</Message>
        <CopyBox label={t('yourToken')} text={make.data.token} />
      </Dialog>
    )
  const toggle = (permission: string, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(permission)
    else next.delete(permission)
    setChosen(next)
  }
  const limits = isLimited ? { permissions: [...chosen] as Permission[] } : {}
  return (
    <FormDialog
      kind="wide"
      title={t('newToken')}
      submit={c('create')}
      busy={make.isPending}
      disabled={name.trim() === '' || (isLimited && chosen.size === 0)}
      problem={<Refused error={make.error} />}
      onSubmit={() => make.mutate({ name, expiresIn: Number(days) * DAY_SECONDS, ...limits })}
      onClose={onClose}
    >
      <TextField
        label={c('name')}
        autoFocus
        value={name}
        error={issueOf(make.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t('days')}
        type="number"
        min={1}
        value={days}
        error={issueOf(make.error, 'expiresIn')}
        onChange={(event) => setDays(event.target.value)}
      />
      <CheckField label={t('limited')} checked={isLimited} onChange={setLimited} />
      {isLimited && (
        <fieldset className="field">
          <legend>{t('permissions')}</legend>
          <div className="grid">
            {[...permissions].sort().map((permission) => (
              <CheckField
                key={permission}
                label={<code>{permission}</code>}
                checked={chosen.has(permission)}
                onChange={(isOn) => toggle(permission, isOn)}
              />
            ))}
          </div>
        </fieldset>
      )}
    </FormDialog>
  )
}

function Sessions() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const list = useRead(['sessions'], (api) => api.GET('/auth/sessions'))
  const end = useWrite((api, sid: string) => api.DELETE('/auth/sessions/{sid}', { params: { path: { sid } } }), {
    stale: ['sessions'],
    done: t('ended'),
  })
  return (
    <>
      <Refused error={end.error} />
      <Rows
        of={list}
        rows={({ sessions }) => sessions}
        caption={t('sessions')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noSession')} />}
        columns={[
          {
            id: 'device',
            head: t('device'),
            primary: true,
            cell: ({ userAgent, ip, current }) => (
              <>
                <span className="row">
                  <span className="clip">{userAgent ?? '–'}</span>
                  {current && <Badge tone="accent">{t('thisOne')}</Badge>}
                </span>
                <span className="small muted">{ip}</span>
              </>
            ),
          },
          { id: 'at', head: c('created'), cell: ({ createdAt }) => <When at={createdAt} /> },
          { id: 'used', head: c('lastUsed'), cell: ({ lastUsedAt }) => <When at={lastUsedAt} relative /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id, current }) =>
              !current && (
                <Button kind="danger" onClick={() => end.mutate(id)}>
                  {t('end')}
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}
