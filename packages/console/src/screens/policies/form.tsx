/** Creates or changes a policy: its name, version, description, and its rules. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { etagOf } from '../../data/client.js'
import { Loaded } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { commonWords } from '../../data/words.js'
import { FormDialog } from '../../ui/dialog.js'
import { AreaField, CheckField, TextField } from '../../ui/field.js'
import { useWords } from '../../ui/words.js'
import { uiWords } from '../../ui/words-ui.js'
import { words } from './words.js'

type Policy = components['schemas']['Policy']
type Rule = { readonly id: string; readonly name: string }

const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]

export function PolicyForm({ of, onClose }: { of: Policy | null; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [form, setForm] = useState({
    name: of?.name ?? '',
    version: of?.version ?? '1.0.0',
    description: of?.description ?? '',
    tags: (of?.tags ?? []).join(', '),
  })
  const [isActive, setActive] = useState(of?.isActive ?? true)
  const [rules, setRules] = useState<ReadonlyMap<string, string>>(
    () => new Map((of?.rules ?? []).map(({ id, name }) => [id, name])),
  )
  const before = of?.rules.map(({ id }) => id).sort() ?? []
  const chosen = [...rules.keys()].sort()
  const body = {
    name: form.name.trim(),
    version: form.version.trim(),
    description: form.description,
    tags: tagsOf(form.tags),
    ...(chosen.join() === before.join() ? {} : { ruleIds: chosen }),
  }
  const options = { stale: ['policies', 'rules'], onDone: onClose }
  const create = useWrite((api, sent: typeof body) => api.POST('/compliance/policies', { body: sent }), {
    ...options,
    done: t('created'),
  })
  // Sends the revision from the list, so that a change made in the meantime is not overwritten.
  const change = useWrite(
    (api, sent: typeof body & { isActive: boolean }) =>
      api.PUT('/compliance/policies/{id}', { params: { path: { id: of?.id ?? '' } }, body: sent }),
    {
      ...options,
      done: t('changed'),
      ifMatch: () => etagOf(`/compliance/policies/${of?.id}`) ?? (of === null ? null : `"${of.revision}"`),
    },
  )
  const error = of === null ? create.error : change.error
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value })
  return (
    <FormDialog
      kind="wide"
      title={of === null ? t('newPolicy') : t('edit')}
      submit={of === null ? c('create') : c('save')}
      busy={create.isPending || change.isPending}
      disabled={form.name.trim() === ''}
      problem={<Refused error={error} />}
      onSubmit={() => (of === null ? create.mutate(body) : change.mutate({ ...body, isActive }))}
      onClose={onClose}
    >
      <TextField label={c('name')} value={form.name} error={issueOf(error, 'name')} onChange={set('name')} />
      <TextField
        label={t('version')}
        value={form.version}
        error={issueOf(error, 'version')}
        onChange={set('version')}
      />
      <AreaField
        label={c('description')}
        value={form.description}
        error={issueOf(error, 'description')}
        onChange={set('description')}
      />
      <TextField label={t('tags')} value={form.tags} error={issueOf(error, 'tags')} onChange={set('tags')} />
      {of !== null && <CheckField label={t('active')} checked={isActive} onChange={setActive} />}
      <Membership chosen={rules} onChange={setRules} error={issueOf(error, 'ruleIds')} />
    </FormDialog>
  )
}

const SHOWN = 50

interface MembershipProps {
  chosen: ReadonlyMap<string, string>
  onChange: (chosen: ReadonlyMap<string, string>) => void
  error: string | null
}

/** The rules of the policy first, then the rules of the organization that match the typed text. */
function Membership({ chosen, onChange, error }: MembershipProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const u = useWords(uiWords)
  const [name, setName] = useState('')
  const query = {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    limit: SHOWN,
    sortBy: 'name',
    sortOrder: 'asc',
  } as const
  const list = useRead(
    ['rules', 'pick', query],
    (api, signal) => api.GET('/compliance/rules', { params: { query }, signal }),
    { keep: true },
  )
  const toggle = (rule: Rule) => {
    const next = new Map(chosen)
    if (!next.delete(rule.id)) next.set(rule.id, rule.name)
    onChange(next)
  }
  const row = (rule: Rule) => (
    <CheckField key={rule.id} label={rule.name} checked={chosen.has(rule.id)} onChange={() => toggle(rule)} />
  )
  return (
    <fieldset className="field">
      <legend className="field-label">{t('chosen', { count: chosen.size })}</legend>
      <div className="pick">{[...chosen].map(([id, known]) => row({ id, name: known }))}</div>
      <TextField
        label={c('search')}
        type="search"
        value={name}
        error={error}
        onChange={(event) => setName(event.target.value)}
      />
      <Loaded of={list} lines={3}>
        {({ rules, pagination }) => {
          const left = pagination.total - rules.length
          const others = rules.filter(({ id }) => !chosen.has(id))
          return others.length === 0 ? (
            <p className="muted">{t('noRule')}</p>
          ) : (
            <>
              <div className="pick">{others.map(row)}</div>
              {left > 0 && <p className="field-hint">{u('leftOut', { count: left })}</p>}
            </>
          )
        }}
      </Loaded>
    </fieldset>
  )
}
