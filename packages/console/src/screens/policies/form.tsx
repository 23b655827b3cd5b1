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
import { nextVersion } from './version.js'
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

interface FormProps {
  of: Policy | null
  /** Makes a new version of the policy. The policy itself stays as it is. */
  isVersion?: boolean
  onClose: () => void
  onCreated?: (id: string) => void
}

interface Body {
  name: string
  version: string
  description: string
  tags: string[]
  isActive: boolean
  ruleIds?: string[]
}

/** Changes the policy, or creates one if there is none. */
function useSave(changed: Policy | null, { onClose, onCreated }: FormProps) {
  const t = useWords(words)
  const stale = ['policies', 'rules']
  const create = useWrite((api, body: Body) => api.POST('/compliance/policies', { body }), {
    stale,
    done: t('created'),
    onDone({ policy }) {
      onClose()
      onCreated?.(policy.id)
    },
  })
  // Sends the revision from the list, so that a change made in the meantime is not overwritten.
  const change = useWrite(
    (api, body: Body) => api.PUT('/compliance/policies/{id}', { params: { path: { id: changed?.id ?? '' } }, body }),
    {
      stale,
      done: t('changed'),
      onDone: onClose,
      ifMatch: () =>
        etagOf(`/compliance/policies/${changed?.id}`) ?? (changed === null ? null : `"${changed.revision}"`),
    },
  )
  return changed === null ? create : change
}

export function PolicyForm(props: FormProps) {
  const { of, isVersion = false, onClose } = props
  const t = useWords(words)
  const c = useWords(commonWords)
  const changed = isVersion ? null : of
  const [form, setForm] = useState({
    name: of?.name ?? '',
    version: of === null ? '1.0.0' : isVersion ? nextVersion(of.version) : of.version,
    description: of?.description ?? '',
    tags: (of?.tags ?? []).join(', '),
  })
  const [isActive, setActive] = useState(isVersion ? false : (of?.isActive ?? true))
  const [rules, setRules] = useState<ReadonlyMap<string, string>>(
    () => new Map((of?.rules ?? []).map(({ id, name }) => [id, name])),
  )
  const before = changed?.rules.map(({ id }) => id).sort() ?? []
  const chosen = [...rules.keys()].sort()
  const save = useSave(changed, props)
  const { error } = save
  const body: Body = {
    name: form.name.trim(),
    version: form.version.trim(),
    description: form.description,
    tags: tagsOf(form.tags),
    isActive,
    ...(chosen.join() === before.join() ? {} : { ruleIds: chosen }),
  }
  const field = (name: keyof typeof form) => ({
    value: form[name],
    error: issueOf(error, name),
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  return (
    <FormDialog
      kind="wide"
      title={t(isVersion ? 'newVersion' : of === null ? 'newPolicy' : 'edit')}
      submit={changed === null ? c('create') : c('save')}
      busy={save.isPending}
      disabled={body.name === ''}
      problem={<Refused error={error} />}
      onSubmit={() => save.mutate(body)}
      onClose={onClose}
    >
      {isVersion && <p className="muted">{t('newVersionText')}</p>}
      <TextField label={c('name')} readOnly={isVersion} {...field('name')} />
      <TextField label={t('version')} {...field('version')} />
      <AreaField label={c('description')} {...field('description')} />
      <TextField label={t('tags')} {...field('tags')} />
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
