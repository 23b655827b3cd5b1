/** Tokens with which a directory creates and removes accounts. Each is shown once. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Refused } from '../../data/refused.js'
import { Rows } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Button, CopyBox, When } from '../../ui/basics.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { SelectField, TextField } from '../../ui/field.js'
import { Empty, Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { useProviders } from './providers.js'
import { words } from './words.js'

export function Directory() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { id } = useSession().organization
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<{ id: string; name: string } | null>(null)
  const list = useRead(['sign-on', 'scim'], (api) =>
    api.GET('/organization/{id}/scim-tokens', { params: { path: { id } } }),
  )
  const revoke = useWrite(
    (api, tokenId: string) =>
      api.DELETE('/organization/{id}/scim-tokens/{tokenId}', { params: { path: { id, tokenId } } }),
    { stale: ['sign-on'], done: t('tokenGone') },
  )
  return (
    <>
      <div>
        <Button kind="main" onClick={() => setMaking(true)}>
          {t('newToken')}
        </Button>
      </div>
      <Rows
        of={list}
        rows={({ tokens }) => tokens}
        caption={t('scim')}
        rowKey={({ id: tokenId }) => tokenId}
        empty={<Empty title={t('noToken')}>{t('noTokenNext')}</Empty>}
        columns={[
          { id: 'name', head: c('name'), primary: true, cell: ({ name }) => name },
          { id: 'used', head: c('lastUsed'), cell: ({ lastUsedAt }) => <When at={lastUsedAt} relative /> },
          { id: 'ends', head: c('expires'), cell: ({ expiresAt }) => <When at={expiresAt} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id: tokenId, name }) => (
              <Button
                kind="danger"
                aria-label={t('revokeOf', { name })}
                onClick={() => setRevoked({ id: tokenId, name })}
              >
                {t('revoke')}
              </Button>
            ),
          },
        ]}
      />
      {revoked !== null && (
        <Deletion
          title={t('revokeOf', { name: revoked.name })}
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

function NewToken({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { id } = useSession().organization
  const providers = useProviders()
  const [name, setName] = useState('')
  const [idpId, setProvider] = useState('')
  const make = useWrite(
    (api, body: components['schemas']['ScimTokenCreateBody']) =>
      api.POST('/organization/{id}/scim-tokens', { params: { path: { id } }, body }),
    { stale: ['sign-on'] },
  )
  if (make.data !== undefined)
    return (
      <Dialog title={name} onClose={onClose} keep>
        <Message tone="warning">{t('once')}</Message>
        <CopyBox label={t('token')} text={make.data.token} />
      </Dialog>
    )
  return (
    <FormDialog
      title={t('newToken')}
      submit={c('create')}
      busy={make.isPending}
      disabled={name.trim() === ''}
      problem={<Refused error={make.error} />}
      onSubmit={() => make.mutate({ name: name.trim(), ...(idpId === '' ? {} : { idpId }) })}
      onClose={onClose}
    >
      <TextField label={c('name')} value={name} autoFocus onChange={(event) => setName(event.target.value)} />
      <SelectField
        label={t('provider')}
        value={idpId}
        options={[['', '–'], ...(providers.data?.providers ?? []).map((each) => [each.id, each.name] as const)]}
        onChange={setProvider}
      />
    </FormDialog>
  )
}
