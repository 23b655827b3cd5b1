/**
 * Roles: what each allows, and who has it. Nobody can grant a permission that they lack, so such permissions are shown
 * but cannot be selected.
 */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { Loaded } from '../../data/page.js'
import { PickMember } from '../../data/pick.js'
import { issueOf, Refused } from '../../data/refused.js'
import { useCan, useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, Tags } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { CheckField, TextField } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Role = components['schemas']['IdentityRole']
type Permission = components['schemas']['Permission']

export function Roles() {
  const t = useWords(words)
  const { organization } = useSession()
  const canManage = useCan('roles:manage')
  const [open, setOpen] = useState<Role | 'new' | null>(null)
  const [giving, setGiving] = useState<Role | null>(null)
  const roles = useRead(['roles'], (api) =>
    api.GET('/organization/{id}/roles', { params: { path: { id: organization.id } } }),
  )
  return (
    <>
      {canManage && (
        <div>
          <Button onClick={() => setOpen('new')}>{t('newRole')}</Button>
        </div>
      )}
      <Loaded of={roles}>
        {({ roles: rows }) =>
          rows.length === 0 ? (
            <Empty title={t('noRole')} />
          ) : (
            <div className="grid">
              {rows.map((role) => (
                <article key={role.id} className="card stack-small">
                  <h2 className="row">
                    {role.name} {role.builtIn && <Badge>{t('builtIn')}</Badge>}
                  </h2>
                  <p className="muted">{role.description}</p>
                  <p>{t('holders', { count: role.memberCount })}</p>
                  <Tags of={role.permissions} />
                  {canManage && !role.builtIn && (
                    <div className="row">
                      <Button onClick={() => setGiving(role)}>{t('give')}</Button>
                      <Button onClick={() => setOpen(role)}>{t('permissions')}</Button>
                    </div>
                  )}
                </article>
              ))}
            </div>
          )
        }
      </Loaded>
      {open !== null && <RoleForm of={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {giving !== null && <GiveRole of={giving} onClose={() => setGiving(null)} />}
    </>
  )
}

function RoleForm({ of, onClose }: { of: Role | null; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization, permissions } = useSession()
  const [name, setName] = useState(of?.name ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(of?.permissions ?? []))
  const [isRemoving, setRemoving] = useState(false)
  const all = [...new Set([...permissions, ...chosen])].sort()
  const path = { id: organization.id }
  const save = useWrite(
    (api, body: { name: string; permissions: Permission[] }) =>
      of === null
        ? api.POST('/organization/{id}/roles', { params: { path }, body })
        : (api.PUT('/organization/{id}/roles/{roleId}', {
            params: { path: { ...path, roleId: of.id } },
            body,
          }) as never),
    { done: t('roleSaved'), onDone: onClose },
  )
  const remove = useWrite(
    (api, roleId: string) => api.DELETE('/organization/{id}/roles/{roleId}', { params: { path: { ...path, roleId } } }),
    { done: t('roleDeleted'), onDone: onClose },
  )
  const toggle = (permission: string, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(permission)
    else next.delete(permission)
    setChosen(next)
  }
  return (
    <>
      <FormDialog
        kind="wide"
        title={of === null ? t('newRole') : of.name}
        submit={c('save')}
        busy={save.isPending}
        disabled={name.trim() === ''}
        problem={<Refused error={save.error} />}
        onSubmit={() => save.mutate({ name, permissions: [...chosen] as Permission[] })}
        onClose={onClose}
      >
        <TextField
          label={c('name')}
          value={name}
          error={issueOf(save.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className="field">
          <legend>{t('permissions')}</legend>
          <p className="field-hint">{t('ceiling')}</p>
          <div className="grid">
            {all.map((permission) => (
              <CheckField
                key={permission}
                label={<code>{permission}</code>}
                checked={chosen.has(permission)}
                disabled={!permissions.has(permission)}
                onChange={(isOn) => toggle(permission, isOn)}
              />
            ))}
          </div>
        </fieldset>
        {of !== null && (
          <div>
            <Button kind="danger" onClick={() => setRemoving(true)}>
              {c('remove')}
            </Button>
          </div>
        )}
      </FormDialog>
      {isRemoving && of !== null && (
        <Deletion
          title={`${c('remove')}: ${of.name}`}
          submit={c('remove')}
          by={remove}
          input={of.id}
          onClose={() => setRemoving(false)}
        >
          {t('roleSure')}
        </Deletion>
      )}
    </>
  )
}

function GiveRole({ of, onClose }: { of: Role; onClose: () => void }) {
  const t = useWords(words)
  const { organization } = useSession()
  const [userId, setUserId] = useState('')
  const give = useWrite(
    (api, id: string) =>
      api.POST('/organization/{id}/roles/{roleId}/members', {
        params: { path: { id: organization.id, roleId: of.id } },
        body: { userId: id },
      }),
    { done: t('given'), onDone: onClose },
  )
  const holders = new Set(of.members.map(({ id }) => id))
  return (
    <FormDialog
      title={`${t('give')} · ${of.name}`}
      submit={t('give')}
      busy={give.isPending}
      disabled={userId === ''}
      problem={<Refused error={give.error} />}
      onSubmit={() => give.mutate(userId)}
      onClose={onClose}
    >
      <PickMember
        label={t('members')}
        none="–"
        value={userId}
        accepts={({ id }) => !holders.has(id)}
        onChange={setUserId}
      />
    </FormDialog>
  )
}
