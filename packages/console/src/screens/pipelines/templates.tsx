/** Pipeline templates: the inputs of each, and creating a pipeline from one. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Blocked } from '../../data/blocked.js'
import { DeletedRows } from '../../data/deleted.js'
import { Deletion } from '../../data/deletion.js'
import { useGo } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { issueOf, Refused } from '../../data/refused.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { useCan, useMayChange, useSession } from '../../data/session.js'
import { pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Button, Tags, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { CheckField, FilterBar, SelectField, TextField } from '../../ui/field.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Template = components['schemas']['PipelineTemplateList']
type Input = components['schemas']['Input']
type Value = string | number | boolean
const STATE = { q: text(), page: pageNumber() }

export function Templates() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const canWrite = useCan('pipelines:write')
  const [state, set] = useUrlState(STATE)
  const mayChange = useMayChange()
  const { organization } = useSession()
  const [open, setOpen] = useState<Template | null>(null)
  const [removed, setRemoved] = useState<Template | null>(null)
  const query = { ...sent({ q: state.q }), sortBy: 'name', sortOrder: 'asc', ...pageOf(state.page) } as const
  const list = useRead(
    ['templates', query],
    (api, signal) => api.GET('/pipeline-templates', { params: { query }, signal }),
    { keep: true },
  )
  return (
    <>
      <FilterBar text={{ label: t('search'), value: state.q, onChange: (q) => set({ q }) }} />
      <Rows
        of={list}
        rows={({ templates }) => templates}
        total={({ pagination }) => pagination.total}
        page={state.page}
        onPage={(page) => set({ page })}
        caption={t('templates')}
        rowKey={({ id }) => id}
        onClear={state.q === '' ? undefined : () => set({ q: '' })}
        empty={<Empty title={t('noTemplate')}>{t('noTemplateNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ name, description }) => (
              <>
                <div className="strong">{name}</div>
                {description !== '' && <span className="clip small muted">{description}</span>}
              </>
            ),
          },
          { id: 'category', head: t('category'), cell: ({ category }) => category },
          { id: 'lifecycle', head: t('lifecycle'), cell: ({ lifecycle }) => <Mark value={lifecycle} /> },
          { id: 'tags', head: c('tags'), cell: ({ keywords }) => <Tags of={keywords.slice(0, 2)} /> },
          { id: 'version', head: c('version'), end: true, cell: ({ version }) => String(version) },
          { id: 'at', head: c('updated'), cell: ({ updatedAt }) => <When at={updatedAt} relative /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (of) =>
              canWrite && (
                <span className="row">
                  <Button aria-label={t('useOf', { name: of.name })} onClick={() => setOpen(of)}>
                    {t('use')}
                  </Button>
                  {of.orgId === organization.id && mayChange(of) && (
                    <Button
                      kind="danger"
                      aria-label={t('removeTemplateOf', { name: of.name })}
                      onClick={() => setRemoved(of)}
                    >
                      {c('remove')}
                    </Button>
                  )}
                </span>
              ),
          },
        ]}
      />
      {open !== null && <Use of={open} onClose={() => setOpen(null)} />}
      {removed !== null && <Remove of={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

function Remove({ of, onClose }: { of: Template; onClose: () => void }) {
  const t = useWords(words)
  const path = { id: of.id }
  const remove = useWrite((api, _: null) => api.DELETE('/pipeline-templates/{id}', { params: { path } }), {
    stale: ['templates'],
    done: t('templateRemoved'),
    onDone: onClose,
  })
  return (
    <Deletion
      title={t('removeTemplateOf', { name: of.name })}
      submit={t('removeTemplate')}
      by={remove}
      input={null}
      onClose={onClose}
    >
      {t('removeTemplateText')}
    </Deletion>
  )
}

export function DeletedTemplates() {
  const t = useWords(words)
  const canWrite = useCan('pipelines:write')
  const mayChange = useMayChange()
  const [state, set] = useUrlState(STATE)
  const query = pageOf(state.page)
  const list = useRead(
    ['templates', 'deleted', query],
    (api) => api.GET('/pipeline-templates/deleted', { params: { query } }),
    { keep: true, enabled: canWrite },
  )
  const restore = useWrite(
    (api, id: string) => api.POST('/pipeline-templates/{id}/restore', { params: { path: { id } } }),
    { stale: ['templates'], done: t('templateRestored') },
  )
  const purge = useWrite(
    (api, id: string) => api.POST('/pipeline-templates/{id}/purge', { params: { path: { id } } }),
    {
      stale: ['templates'],
      done: t('templatePurged'),
    },
  )
  return (
    <DeletedRows
      of={list}
      rows={({ templates }) => templates}
      name={({ name }) => name}
      none={t('noneDeletedTemplate')}
      mayChange={(row) => canWrite && mayChange(row)}
      restore={restore}
      purge={purge}
      page={state.page}
      onPage={(page) => set({ page })}
    />
  )
}

const first = ({ default: usual, type, options }: Input): Value =>
  usual ?? (type === 'boolean' ? false : (options?.[0] ?? ''))

function Use({ of, onClose }: { of: Template; onClose: () => void }) {
  const t = useWords(words)
  const go = useGo()
  const { organization } = useSession()
  const [names, setNames] = useState({ project: '', organization: organization.slug, pipelineName: '' })
  const [inputs, setInputs] = useState<Readonly<Record<string, Value>>>(() =>
    Object.fromEntries(of.inputs.map((input) => [input.name, first(input)])),
  )
  const named = {
    project: names.project.trim(),
    organization: names.organization.trim(),
    ...(names.pipelineName.trim() === '' ? {} : { pipelineName: names.pipelineName.trim() }),
  }
  const create = useWrite(
    (api, body: components['schemas']['PipelineCreateBody']) => api.POST('/pipelines', { body }),
    {
      stale: ['pipelines'],
      done: t('made'),
      onDone: ({ pipeline }) => go(`pipelines/${pipeline.id}`),
    },
  )
  // Only the server can fill in the inputs of a template, so its answer is what gets stored.
  const fill = useWrite(
    (api, body: components['schemas']['PipelineTemplateInstantiateBody']) =>
      api.POST('/pipeline-templates/{id}/instantiate', { params: { path: { id: of.id } }, body }),
    { stale: [], onDone: (filled) => create.mutate({ ...filled, ...named }) },
  )
  const isMissing = of.inputs.some(({ name, required }) => required === true && inputs[name] === '')
  const send = () =>
    fill.mutate({
      ...named,
      inputs: Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== '' && !Number.isNaN(value))),
    })
  const set = (name: keyof typeof names) => (event: { target: { value: string } }) =>
    setNames({ ...names, [name]: event.target.value })
  return (
    <FormDialog
      title={t('useOf', { name: of.name })}
      subtitle={of.description}
      submit={t('make')}
      busy={fill.isPending || create.isPending}
      disabled={names.project.trim() === '' || names.organization.trim() === '' || isMissing}
      problem={
        <>
          <Refused error={fill.error} />
          <Blocked error={create.error} />
        </>
      }
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label={t('project')}
        autoFocus
        value={names.project}
        error={issueOf(fill.error ?? create.error, 'project')}
        onChange={set('project')}
      />
      <TextField
        label={t('organization')}
        value={names.organization}
        error={issueOf(fill.error ?? create.error, 'organization')}
        onChange={set('organization')}
      />
      <TextField
        label={t('pipelineName')}
        hint={t('pipelineNameHint')}
        value={names.pipelineName}
        error={issueOf(fill.error ?? create.error, 'pipelineName')}
        onChange={set('pipelineName')}
      />
      {of.inputs.map((input) => (
        <InputField
          key={input.name}
          of={input}
          value={inputs[input.name] ?? ''}
          error={issueOf(fill.error, `inputs/${input.name}`)}
          onChange={(value) => setInputs({ ...inputs, [input.name]: value })}
        />
      ))}
    </FormDialog>
  )
}

interface InputFieldProps {
  of: Input
  value: Value
  error: string | null
  onChange: (value: Value) => void
}

function InputField({ of, value, error, onChange }: InputFieldProps) {
  const label = of.label ?? of.name
  const hint = of.description
  if (of.type === 'boolean')
    return (
      <CheckField
        label={label}
        {...(hint === undefined ? {} : { hint })}
        checked={value === true}
        onChange={onChange}
      />
    )
  if (of.options !== undefined)
    return (
      <SelectField
        label={label}
        hint={hint}
        error={error}
        value={String(value)}
        options={of.options.map((each) => [each, each] as const)}
        onChange={onChange}
      />
    )
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      type={of.type === 'number' ? 'number' : 'text'}
      value={String(value)}
      onChange={({ target }) =>
        onChange(of.type === 'number' && target.value !== '' ? target.valueAsNumber : target.value)
      }
    />
  )
}
