/**
 * A prompt, the events while the model writes, and the draft with the verdict of the rules. Only the person can save
 * it.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization, useRead, useWrite } from '../../data/api.js'
import { Blocked } from '../../data/blocked.js'
import { ERRORS, type ErrorCode, nextWords, unknownError } from '../../data/errors.js'
import { useGo } from '../../data/go.js'
import { Refused } from '../../data/refused.js'
import { useCan } from '../../data/session.js'
import { type Violation, WhyCard } from '../../data/why.js'
import { Button, Code, Prose } from '../../ui/basics.js'
import { AreaField, Segments, SelectField, TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Message, Problem } from '../../ui/states.js'
import { say, useLanguage, useWords } from '../../ui/words.js'
import { type Draft, type Generation, type Kind, type Told, useGeneration } from './generate.js'
import { microUsd } from './money.js'
import { words } from './words.js'

export function Write() {
  const t = useWords(words)
  const organization = useOrganization()
  const queries = useQueryClient()
  const kinds = [useCan('pipelines:write') && 'pipeline', useCan('plugins:write') && 'plugin'].filter(
    (each): each is Kind => each !== false,
  )
  const shown: readonly Kind[] = kinds.includes('pipeline') ? [...kinds, 'repository'] : kinds
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'pipeline')
  const [prompt, setPrompt] = useState('')
  const [from, setFrom] = useState({ gitUrl: '', ref: '', repoToken: '' })
  const [model, setModel] = useState('')
  const { state, begin, cancel } = useGeneration()
  const providers = useRead(['drafts', 'providers'], (api) => api.GET('/pipelines/providers'), { aside: true })
  const usual = providers.data?.default ?? null
  const models = (providers.data?.providers ?? [])
    .filter(({ configured }) => configured)
    .flatMap(({ id, name, models: all }) => all.map((each) => [`${id}\n${each.id}`, `${name}: ${each.name}`] as const))
  const submit = async () => {
    const [provider, chosen] = model.split('\n')
    const where = model === '' ? {} : { provider, model: chosen }
    const { gitUrl, ref, repoToken } = from
    const asked =
      kind === 'repository'
        ? {
            gitUrl: gitUrl.trim(),
            ...(ref.trim() === '' ? {} : { ref: ref.trim() }),
            ...(repoToken === '' ? {} : { repoToken }),
          }
        : { prompt: prompt.trim() }
    await begin(kind, { ...asked, ...where })
    void queries.invalidateQueries({ queryKey: [organization, 'drafts'] })
  }
  const isEmpty = (kind === 'repository' ? from.gitUrl : prompt).trim() === ''
  return (
    <>
      {providers.data !== undefined && usual === null && (
        <Message tone="warning" title={t('noModel')}>
          <Prose text={t('noModelNext')} />
        </Message>
      )}
      <form
        className="form card"
        onSubmit={(event) => {
          event.preventDefault()
          if (!state.isRunning && !isEmpty) void submit()
        }}
      >
        {shown.length > 1 && (
          <div>
            <Segments
              label={t('kind')}
              value={kind}
              options={shown.map((each) => [each, t(each)] as const)}
              onChange={(next) => setKind(next as Kind)}
            />
          </div>
        )}
        {kind === 'repository' ? (
          <RepositoryFields of={from} onChange={setFrom} />
        ) : (
          <AreaField
            label={t('prompt')}
            hint={t('promptHint')}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
        )}
        <div className="narrow">
          <SelectField
            label={t('model')}
            value={model}
            options={[['', t('usual', { name: usual?.model ?? '–' })], ...models]}
            onChange={setModel}
          />
        </div>
        <Refused error={providers.error} />
        <div className="form-actions">
          {state.isRunning && <Button onClick={cancel}>{t('stop')}</Button>}
          <Button type="submit" kind="main" busy={state.isRunning} disabled={isEmpty || usual === null}>
            {t('begin')}
          </Button>
        </div>
      </form>
      <Trace of={state} />
      {state.draft !== null && <Result key={kind} of={state.draft} kind={kind} />}
    </>
  )
}

interface From {
  readonly gitUrl: string
  readonly ref: string
  readonly repoToken: string
}

function RepositoryFields({ of, onChange }: { of: From; onChange: (from: From) => void }) {
  const t = useWords(words)
  const field = (name: keyof From) => ({
    value: of[name],
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange({ ...of, [name]: event.target.value }),
  })
  return (
    <>
      <TextField label={t('gitUrl')} hint={t('gitUrlHint')} type="url" {...field('gitUrl')} />
      <TextField label={t('ref')} hint={t('refHint')} {...field('ref')} />
      <TextField
        label={t('repoToken')}
        hint={t('repoTokenHint')}
        type="password"
        autoComplete="off"
        {...field('repoToken')}
      />
    </>
  )
}

function Trace({ of }: { of: Generation }) {
  const t = useWords(words)
  const line = useLine()
  if (!of.isRunning && of.told.length === 0 && of.error === null && !of.isStopped) return null
  return (
    <section className="stack-small">
      <h2>{t('trace')}</h2>
      <ol className="stack-small" aria-live="polite">
        {of.told.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was told stays in its place
          <li key={index}>{line(each)}</li>
        ))}
        {of.characters > 0 && <li className="muted">{t('progress', { count: of.characters })}</li>}
        {of.draft !== null && <li>{t('done')}</li>}
        {of.isStopped && <li>{t('stopped')}</li>}
      </ol>
      {of.isRunning && of.partial !== null && (
        <details>
          <summary>{t('preview')}</summary>
          <Code value={of.partial} />
        </details>
      )}
      <Ended error={of.error} />
    </section>
  )
}

function useLine(): (told: Told) => string {
  const t = useWords(words)
  return (told) => {
    if (told.type === 'start') return t('started', { model: told.servedBy.model })
    if (told.type === 'fallback') return t('fallback', { from: told.from.model, to: told.to.model })
    if (told.type === 'plugins') {
      const names = told.missing.map(({ name, nearest = [] }) =>
        nearest.length === 0 ? name : t('nearest', { name, others: nearest.join(', ') }),
      )
      return t('missing', { names: names.join('; ') })
    }
    if (told.type === 'analyzing') return t('analyzing', { name: `${told.owner}/${told.repo}`, count: told.files })
    if (told.type === 'analyzed') {
      const parts = [told.projectType, ...told.languages, told.packageManager, ...told.tools].filter((each) => each)
      return t(told.isCut ? 'analyzedCut' : 'analyzed', {
        what: [...new Set(parts)].join(', '),
        ref: told.ref,
        licence: told.licence ?? t('noLicence'),
      })
    }
    const faults = told.faults.map(({ path, message }) => `${path} ${message}`).join('; ')
    return t('repair', { round: told.round, faults })
  }
}

/** An error at the end of a stream comes without a response, so only its code is known. */
function Ended({ error }: { error: Generation['error'] }) {
  const to = useLanguage()
  const next = useWords(nextWords)
  if (error === null || error instanceof Error) return <Refused error={error} />
  const entry = ERRORS[error.code as ErrorCode] ?? unknownError
  return <Problem title={say(entry.says, to)} detail={error.message} next={next(entry.next)} />
}

function Result({ of, kind }: { of: Draft; kind: Kind }) {
  const t = useWords(words)
  const format = useFormat()
  const { compliance } = of
  const violations = compliance.violations as unknown as readonly Violation[]
  const isWarned = compliance.warnings.length > 0
  const verdict = compliance.blocked ? 'blocked' : isWarned ? 'warned' : 'passed'
  return (
    <section className="stack">
      <div className="row-between">
        <h2>{t('draft')}</h2>
        <span className="muted">
          {`${t('rounds', { count: of.rounds })} · ${t('cost', {
            tokens: format.number(of.usage.totalTokens),
            cost: microUsd(of.costMicroUsd, format),
          })}`}
        </span>
      </div>
      <Message tone={compliance.blocked ? 'critical' : isWarned ? 'warning' : 'pass'} title={t(verdict)} live />
      {violations.map((each) => (
        <WhyCard key={`${each.ruleId} ${each.field}`} of={each} />
      ))}
      {compliance.deferredRules !== undefined && (
        <Message title={t('deferred')}>
          <ul>
            {compliance.deferredRules.map(({ ruleId, ruleName }) => (
              <li key={ruleId}>{ruleName}</li>
            ))}
          </ul>
        </Message>
      )}
      {of.suspicious.length > 0 && (
        <Message tone="warning" title={t('suspicious')}>
          <ul>
            {of.suspicious.map(({ path, code, message }) => (
              <li key={`${path} ${code}`} className="anywhere">
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        </Message>
      )}
      {of.copied.map(({ path, file, licence }) => (
        <p key={path} className="muted">
          {t('copied', { file, licence: licence ?? t('noLicence') })}
        </p>
      ))}
      <Code value={of.body} />
      {of.action === 'update' && (
        <Message tone="warning">{t(kind === 'plugin' ? 'versionExists' : 'replaces')}</Message>
      )}
      <Save of={of} kind={kind} />
    </section>
  )
}

function Save({ of, kind }: { of: Draft; kind: Kind }) {
  const t = useWords(words)
  const go = useGo()
  const pipeline = useWrite((api, body: never) => api.POST('/pipelines', { body }), {
    stale: ['pipelines'],
    done: t('saved'),
    onDone: ({ pipeline: made }) => go(`pipelines/${made.id}`),
  })
  const plugin = useWrite((api, body: never) => api.POST('/plugins/deploy-generated', { body }), {
    stale: ['plugins', 'builds'],
    done: t('saved'),
    onDone: ({ pluginId }) => go(`plugins/${pluginId}`),
  })
  const save = kind === 'plugin' ? plugin : pipeline
  return (
    <>
      <Blocked error={save.error} />
      <div>
        <Button kind="main" busy={save.isPending} onClick={() => save.mutate(of.body as never)}>
          {t('save')}
        </Button>
      </div>
    </>
  )
}
