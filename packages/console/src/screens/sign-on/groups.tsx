/** Maps groups of the provider to Roles. Groups are known from a sign-in, or sent by the directory. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { etagOf } from '../../data/client.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Button } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { CheckField, TextField } from '../../ui/field.js'
import { Empty, Skeleton } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export type Provider = components['schemas']['Provider']

type Wanted = Readonly<Record<string, readonly string[]>>

export function GroupsDialog({ of, onClose }: { of: Provider; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { id } = useSession().organization
  const path = { id, idpId: of.id }
  const [changed, setChanged] = useState<Wanted>({})
  const [name, setName] = useState('')
  const read = useRead(['sign-on', 'groups', of.id], (api) =>
    api.GET('/organization/{id}/idps/{idpId}/groups', { params: { path } }),
  )
  const roles = useRead(['roles'], (api) => api.GET('/organization/{id}/roles', { params: { path: { id } } }))
  const save = useWrite(
    (api, groups: { name: string; roleIds: string[] }[]) =>
      api.PUT('/organization/{id}/idps/{idpId}/groups', { params: { path }, body: { groups } }),
    {
      stale: ['sign-on'],
      done: t('groupsSaved'),
      ifMatch: () => etagOf(`/organization/${id}/idps/${of.id}/groups`),
      onDone: onClose,
    },
  )
  const stored: Wanted = Object.fromEntries([
    ...(read.data?.unmapped ?? []).map((each) => [each, []] as const),
    ...(read.data?.groups ?? []).map((each) => [each.name, each.roles.map((role) => role.id)] as const),
  ])
  const wanted = { ...stored, ...changed }
  const toggle = (group: string, roleId: string, isOn: boolean) => {
    const now = wanted[group] ?? []
    setChanged({ ...changed, [group]: isOn ? [...now, roleId] : now.filter((each) => each !== roleId) })
  }
  const submit = () =>
    save.mutate(
      Object.entries(wanted)
        .filter(
          ([group, roleIds]) => roleIds.length > 0 || (read.data?.groups ?? []).some((each) => each.name === group),
        )
        .map(([group, roleIds]) => ({ name: group, roleIds: [...roleIds] })),
    )
  return (
    <FormDialog
      kind="wide"
      title={t('groupsOf', { name: of.name })}
      submit={c('save')}
      busy={save.isPending}
      disabled={read.data === undefined || roles.data === undefined}
      problem={<Refused error={save.error ?? roles.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <Loaded of={read}>
        {() => (Object.keys(wanted).length === 0 ? <Empty title={t('noGroup')}>{t('noGroupNext')}</Empty> : null)}
      </Loaded>
      {roles.data === undefined && roles.error === null && <Skeleton lines={2} />}
      {Object.entries(wanted).map(([group, roleIds]) => (
        <fieldset key={group} className="field">
          <legend>{group}</legend>
          <div className="grid">
            {(roles.data?.roles ?? []).map((role) => (
              <CheckField
                key={role.id}
                label={role.name}
                checked={roleIds.includes(role.id)}
                onChange={(isOn) => toggle(group, role.id, isOn)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div className="row">
        <TextField label={t('addGroup')} value={name} onChange={(event) => setName(event.target.value)} />
        <Button
          disabled={name.trim() === ''}
          onClick={() => {
            setChanged({ ...changed, [name.trim()]: wanted[name.trim()] ?? [] })
            setName('')
          }}
        >
          {t('add')}
        </Button>
      </div>
    </FormDialog>
  )
}
