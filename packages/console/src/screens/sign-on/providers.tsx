/** Identity providers: create, change, test with a real sign-in, delete, and map their groups to Roles. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { etagOf } from '../../data/client.js'
import { Deletion } from '../../data/deletion.js'
import { issueOf, Refused } from '../../data/refused.js'
import { Rows } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, CopyBox, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { CheckField, TextField } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { GroupsDialog, type Provider } from './groups.js'
import { words } from './words.js'

type Body = components['schemas']['ProviderCreateBody']

export function useProviders() {
  const { id } = useSession().organization
  return useRead(['sign-on', 'providers'], (api) => api.GET('/organization/{id}/idps', { params: { path: { id } } }))
}

type Open = { kind: 'new' } | { kind: 'edit' | 'groups' | 'remove'; of: Provider }

export function Providers() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { id } = useSession().organization
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const list = useProviders()
  const test = useWrite(
    (api, idpId: string) => api.POST('/organization/{id}/idps/{idpId}/test', { params: { path: { id, idpId } } }),
    { stale: [], onDone: ({ url }) => location.assign(url) },
  )
  return (
    <>
      <div>
        <Button kind="main" onClick={() => setOpen({ kind: 'new' })}>
          {t('newProvider')}
        </Button>
      </div>
      <Refused error={test.error} />
      <Rows
        of={list}
        rows={({ providers }) => providers}
        caption={t('providers')}
        rowKey={({ id: idpId }) => idpId}
        empty={<Empty title={t('noProvider')}>{t('noProviderNext')}</Empty>}
        columns={[
          { id: 'name', head: c('name'), primary: true, cell: ({ name }) => name },
          { id: 'issuer', head: t('issuer'), cell: ({ issuer }) => <code className="clip">{issuer}</code> },
          { id: 'test', head: t('tested'), cell: (of) => <Tested of={of} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (of) => (
              <span className="row">
                <Button aria-label={t('testOf', { name: of.name })} onClick={() => test.mutate(of.id)}>
                  {t('test')}
                </Button>
                <Button aria-label={t('groupsOf', { name: of.name })} onClick={() => setOpen({ kind: 'groups', of })}>
                  {t('groups')}
                </Button>
                <Button aria-label={t('editOf', { name: of.name })} onClick={() => setOpen({ kind: 'edit', of })}>
                  {c('edit')}
                </Button>
                <Button
                  kind="danger"
                  aria-label={`${c('remove')}: ${of.name}`}
                  onClick={() => setOpen({ kind: 'remove', of })}
                >
                  {c('remove')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {open?.kind === 'new' && <ProviderForm of={null} onClose={close} />}
      {open?.kind === 'edit' && <ProviderForm of={open.of} onClose={close} />}
      {open?.kind === 'groups' && <GroupsDialog of={open.of} onClose={close} />}
      {open?.kind === 'remove' && <RemoveProvider of={open.of} onClose={close} />}
    </>
  )
}

function Tested({ of }: { of: Provider }) {
  const t = useWords(words)
  if (of.test === null) return <Badge tone="warning">{t('notTested')}</Badge>
  return (
    <span className="row">
      <Badge tone={of.test.isCurrent ? 'pass' : 'warning'}>{t(of.test.isCurrent ? 'testPassed' : 'testOld')}</Badge>
      <When at={of.test.at} relative />
    </span>
  )
}

function ProviderForm({ of, onClose }: { of: Provider | null; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { id } = useSession().organization
  const [form, setForm] = useState({
    name: of?.name ?? '',
    issuer: of?.issuer ?? '',
    clientId: of?.clientId ?? '',
    groupsClaim: of?.groupsClaim ?? '',
    clientSecret: '',
  })
  const [flags, setFlags] = useState({ enabled: of?.enabled ?? true, jit: of?.jit ?? true })
  const [seen] = useState(() => (of === null ? null : etagOf(`/organization/${id}/idps/${of.id}`)))
  const settle = { stale: ['sign-on'], done: t('saved'), onDone: onClose }
  const make = useWrite(
    (api, body: Body) => api.POST('/organization/{id}/idps', { params: { path: { id } }, body }),
    settle,
  )
  const change = useWrite(
    (api, { idpId, body }: { idpId: string; body: Body }) =>
      api.PATCH('/organization/{id}/idps/{idpId}', { params: { path: { id, idpId } }, body }),
    { ...settle, ifMatch: () => seen },
  )
  const error = make.error ?? change.error
  const submit = () => {
    const { name, issuer, clientId, groupsClaim, clientSecret } = form
    const body = {
      ...flags,
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      groupsClaim: groupsClaim.trim() === '' ? null : groupsClaim.trim(),
      ...(clientSecret === '' ? {} : { clientSecret }),
    }
    if (of === null) make.mutate(body)
    else change.mutate({ idpId: of.id, body })
  }
  const field = (name: keyof typeof form, hint?: string, type = 'text') => (
    <TextField
      label={name === 'name' ? c('name') : t(name)}
      type={type}
      autoComplete="off"
      value={form[name]}
      error={issueOf(error, name)}
      onChange={(event) => setForm({ ...form, [name]: event.target.value })}
      {...(hint === undefined ? {} : { hint })}
    />
  )
  return (
    <FormDialog
      kind="wide"
      title={t(of === null ? 'newProvider' : 'editProvider')}
      submit={c('save')}
      busy={make.isPending || change.isPending}
      disabled={form.issuer.trim() === '' || form.clientId.trim() === ''}
      problem={<Refused error={error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      {field('name')}
      {field('issuer', t('issuerHint'))}
      {field('clientId')}
      {field('clientSecret', of?.hasSecret === true ? t('secretKept') : undefined, 'password')}
      {field('groupsClaim')}
      {(['enabled', 'jit'] as const).map((name) => (
        <CheckField
          key={name}
          label={t(name)}
          checked={flags[name]}
          onChange={(isOn) => setFlags({ ...flags, [name]: isOn })}
        />
      ))}
      {of !== null && <CopyBox label={t('redirect')} text={of.redirectUri} />}
    </FormDialog>
  )
}

function RemoveProvider({ of, onClose }: { of: Provider; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { id } = useSession().organization
  const remove = useWrite(
    (api, _: null) => api.DELETE('/organization/{id}/idps/{idpId}', { params: { path: { id, idpId: of.id } } }),
    { stale: ['sign-on'], done: t('removed') },
  )
  return (
    <Deletion title={c('remove')} typed={of.name} by={remove} input={null} onClose={onClose}>
      {t('removeSure')}
    </Deletion>
  )
}
