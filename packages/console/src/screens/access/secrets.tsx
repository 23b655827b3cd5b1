import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { issueOf, Refused } from '../../data/refused.js'
import { Rows } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Button, Tags, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { TextField } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export function Secrets() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const [isSetting, setSetting] = useState(false)
  const [removed, setRemoved] = useState<string | null>(null)
  const path = { id: organization.id }
  const list = useRead(['secrets'], (api) => api.GET('/organization/{id}/secrets', { params: { path } }))
  const remove = useWrite(
    (api, name: string) => api.DELETE('/organization/{id}/secrets/{name}', { params: { path: { ...path, name } } }),
    {
      stale: ['secrets'],
      done: t('removed'),
    },
  )
  return (
    <>
      <div>
        <Button kind="main" onClick={() => setSetting(true)}>
          {t('setSecret')}
        </Button>
      </div>
      <Rows
        of={list}
        rows={({ secrets }) => secrets}
        caption={t('secrets')}
        rowKey={({ name }) => name}
        empty={<Empty title={t('noSecret')}>{t('noSecretNext')}</Empty>}
        columns={[
          { id: 'name', head: c('name'), primary: true, cell: ({ name }) => <code>{name}</code> },
          { id: 'plugins', head: t('plugins'), cell: ({ plugins }) => <Tags of={plugins} /> },
          { id: 'at', head: c('updated'), cell: ({ updatedAt }) => <When at={updatedAt} relative /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ name }) => (
              <Button kind="danger" aria-label={`${c('remove')}: ${name}`} onClick={() => setRemoved(name)}>
                {c('remove')}
              </Button>
            ),
          },
        ]}
      />
      {removed !== null && (
        <Deletion
          title={`${c('remove')}: ${removed}`}
          submit={c('remove')}
          typed={removed}
          by={remove}
          input={removed}
          onClose={() => setRemoved(null)}
        >
          {t('secretSure')}
        </Deletion>
      )}
      {isSetting && <SetSecret onClose={() => setSetting(false)} />}
    </>
  )
}

function SetSecret({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const [form, setForm] = useState({ name: '', value: '', plugins: '' })
  const save = useWrite(
    (api, { name, value, plugins }: typeof form) => {
      const only = plugins.split(',').map((each) => each.trim())
      return api.PUT('/organization/{id}/secrets/{name}', {
        params: { path: { id: organization.id, name } },
        body: { value, ...(plugins.trim() === '' ? {} : { plugins: only }) },
      })
    },
    { stale: ['secrets'], done: t('secretSet'), onDone: onClose },
  )
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value })
  return (
    <FormDialog
      title={t('setSecret')}
      submit={c('save')}
      busy={save.isPending}
      disabled={form.name === '' || form.value === ''}
      problem={<Refused error={save.error} />}
      onSubmit={() => save.mutate(form)}
      onClose={onClose}
    >
      <TextField
        label={c('name')}
        autoFocus
        autoComplete="off"
        value={form.name}
        error={issueOf(save.error, 'name')}
        onChange={set('name')}
      />
      <TextField
        label={t('value')}
        type="password"
        autoComplete="off"
        value={form.value}
        error={issueOf(save.error, 'value')}
        onChange={set('value')}
      />
      <TextField label={t('plugins')} autoComplete="off" value={form.plugins} onChange={set('plugins')} />
    </FormDialog>
  )
}
