/** A new message: to the own organization, to one of its members, or to the operators of the server. */
import { useState } from 'react'
import { type components, useWrite } from '../../data/api.js'
import { PickMember } from '../../data/pick.js'
import { issueOf, Refused } from '../../data/refused.js'
import { optionsOf, sent } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { valueWords } from '../../data/words.js'
import { FormDialog } from '../../ui/dialog.js'
import { AreaField, SelectField, TextField } from '../../ui/field.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Attach, type Attachment } from './attachments.js'
import { words } from './words.js'

type Body = components['schemas']['MessageSendBody']

/** A name of the system organization that always works. Operators can choose its other names. */
const SUPPORT = 'system'

export function Compose({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const label = useLabel(valueWords)
  const [form, setForm] = useState({ person: '', subject: '', content: '' })
  const [to, setTo] = useState('own')
  const [priority, setPriority] = useState('normal')
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const { organization, user } = useSession()
  const send = useWrite((api, body: Body) => api.POST('/messages', { body }), {
    stale: ['messages', 'unread'],
    done: t('sent'),
    onDone: onClose,
  })
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value })
  const body = (): Body => ({
    ...sent({ recipientUserId: to === 'own' ? form.person : '' }),
    recipientOrgId: to === 'own' ? organization.id : SUPPORT,
    subject: form.subject.trim(),
    content: form.content,
    priority: priority as 'normal',
    ...(files.length === 0 ? {} : { attachmentIds: files.map(({ id }) => id) }),
  })
  return (
    <FormDialog
      title={t('write')}
      submit={t('send')}
      busy={send.isPending}
      disabled={form.subject.trim() === '' || form.content.trim() === ''}
      problem={<Refused error={send.error} />}
      onSubmit={() => send.mutate(body())}
      onClose={onClose}
    >
      <SelectField
        label={t('to')}
        value={to}
        options={[
          ['own', organization.name],
          ['support', t('support')],
        ]}
        onChange={setTo}
      />
      {to === 'own' && (
        <PickMember
          label={t('person')}
          hint={t('personHint')}
          none={t('everyone')}
          value={form.person}
          accepts={({ id, isActive }) => isActive && id !== user.id}
          onChange={(person) => setForm({ ...form, person })}
        />
      )}
      <TextField
        label={t('subject')}
        value={form.subject}
        error={issueOf(send.error, 'subject')}
        onChange={set('subject')}
      />
      <AreaField
        label={t('content')}
        value={form.content}
        error={issueOf(send.error, 'content')}
        onChange={set('content')}
      />
      <SelectField
        label={t('priority')}
        value={priority}
        options={optionsOf(['normal', 'high', 'urgent'], label)}
        onChange={setPriority}
      />
      <Attach files={files} onChange={setFiles} />
    </FormDialog>
  )
}
