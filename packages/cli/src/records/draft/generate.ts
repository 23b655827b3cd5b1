/**
 * `plumbline ai generate` and `from-url`: follow a draft, show its verdict and its differences, and save it on request.
 */
import { randomUUID } from 'node:crypto'
import { parse } from 'yaml'
import { type CommandRun, ExitCode, type Invocation, type Io, NotDoneError, UsageError } from '../../command.js'
import { readSource } from '../../input/read-source.js'
import { argument, flag, text, texts } from '../../program/invocation.js'
import { note } from '../../program/note.js'
import { printable } from '../../program/printable.js'
import { secretIn } from '../../program/secret-variable.js'
import { confirm } from '../../remote/confirm.js'
import { eventsOf } from '../../remote/events.js'
import { spoken } from '../../remote/refusal.js'
import { openSession, replyOf, type Session, telling } from '../../remote/session.js'
import { showRecord } from '../show.js'

type Json = Readonly<Record<string, unknown>>

interface Violation {
  readonly ruleName?: unknown
  readonly message?: unknown
  readonly severity?: unknown
}

export interface Result {
  readonly generationId: string
  readonly body: Json
  readonly action: 'create' | 'update' | null
  readonly quota: { readonly available: boolean; readonly message: string | null } | null
  readonly copied: readonly { readonly path: string; readonly file: string; readonly licence: string | null }[]
  readonly props?: Json
  readonly compliance: {
    readonly blocked: boolean
    readonly violations: readonly Violation[]
    readonly deferredRules?: readonly { readonly ruleName: string }[]
  }
  readonly suspicious: readonly { readonly path: string; readonly message: string }[]
  readonly servedBy: { readonly provider: string; readonly model: string }
  readonly rounds: number
  readonly usage: { readonly totalTokens: number }
}

type Kind = 'pipeline' | 'plugin'
const PATHS = { pipeline: '/pipelines', plugin: '/plugins' } as const
const CREATES = { pipeline: '/pipelines', plugin: '/plugins/deploy-generated' } as const

export const generate =
  (kind: Kind): CommandRun =>
  (invocation, io) =>
    telling(async () => {
      const previous = await previousOf(invocation, io)
      const body = bodyOf(invocation, io, previous)
      return draft({ kind, path: `${PATHS[kind]}/generate/stream`, body, previous }, invocation, io)
    })

export const fromUrl: CommandRun = (invocation, io) =>
  telling(async () => {
    const previous = await previousOf(invocation, io)
    const [ref, repoToken] = [text(invocation, 'ref'), secretOf(invocation, io, 'repoTokenEnv', 'token')]
    const body = {
      gitUrl: argument(invocation, 0),
      ...whoOf(invocation, io),
      ...(ref === undefined ? {} : { ref }),
      ...(repoToken === undefined ? {} : { repoToken }),
    }
    return draft({ kind: 'pipeline', path: '/pipelines/generate/from-url/stream', body, previous }, invocation, io)
  })

interface Wanted {
  readonly kind: Kind
  readonly path: string
  readonly body: Json
  readonly previous: Json | null
}

async function draft(wanted: Wanted, invocation: Invocation, io: Io): Promise<ExitCode> {
  const { kind, previous } = wanted
  const session = openSession(invocation, io)
  const result = await follow(session, invocation, io, wanted)
  await note(invocation, io, `${verdictLines(kind, result).map(printable).join('\n')}\n`)
  if (previous !== null) await note(invocation, io, differences(previous, result.props ?? result.body))
  await showRecord(invocation, io, result.body)
  if (flag(invocation, 'save')) await save(session, invocation, io, kind, result)
  return result.compliance.blocked ? ExitCode.findings : ExitCode.clean
}

async function previousOf(invocation: Invocation, io: Io): Promise<Json | null> {
  const file = text(invocation, 'previous')
  if (file === undefined) return null
  const value: unknown = parse((await readSource(file, io)).text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return ('props' in value ? (value as { props: Json }).props : value) as Json
  }
  throw new UsageError(`${file} does not hold an object`, 'give the `props` of a pipeline, or the fields of a plugin')
}

function bodyOf(invocation: Invocation, io: Io, previous: Json | null): Json {
  const fallbackProviders = texts(invocation, 'fallback')
  return {
    prompt: argument(invocation, 0),
    ...whoOf(invocation, io),
    ...(fallbackProviders.length === 0 ? {} : { fallbackProviders }),
    ...(previous === null ? {} : { previousConfig: previous }),
  }
}

function whoOf(invocation: Invocation, io: Io): Json {
  const [provider, model] = [text(invocation, 'provider'), text(invocation, 'model')]
  const apiKey = secretOf(invocation, io, 'apiKeyEnv', 'key')
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(apiKey === undefined ? {} : { apiKey }),
  }
}

function secretOf(
  invocation: Invocation,
  io: Io,
  option: 'apiKeyEnv' | 'repoTokenEnv',
  what: string,
): string | undefined {
  const variable = text(invocation, option)
  if (variable === undefined) return undefined
  const name = option === 'apiKeyEnv' ? '--api-key-env' : '--repo-token-env'
  return secretIn(io, variable, what, `leave ${name} out`)
}

async function follow(session: Session, invocation: Invocation, io: Io, { path, body }: Wanted): Promise<Result> {
  const headers = { 'content-type': 'application/json' }
  const response = await session.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) await replyOf(response)
  for await (const { event, data } of eventsOf<Json>(response)) {
    if (event === 'done') return data['data'] as Result
    if (event === 'error')
      throw new NotDoneError(printable(`${String(data['code'])}: ${spoken(String(data['message']))}`))
    for (const line of linesOf(event, data)) await note(invocation, io, `${printable(line)}\n`)
  }
  throw new NotDoneError('the stream ended without a draft', 'try again; `plumbline ai history` shows its state')
}

const nameOf = (served: unknown): string => {
  const { provider, model } = served as { provider?: unknown; model?: unknown }
  return `${String(provider)} ${String(model)}`
}

/** The lines to print for an event; empty for previews. */
export function linesOf(event: string, data: Json): string[] {
  switch (event) {
    case 'start':
      return [`${nameOf(data['servedBy'])} drafts`]
    case 'analyzing':
      return [`reading ${String(data['owner'])}/${String(data['repo'])}: ${String(data['files'])} files`]
    case 'analyzed':
      return [foundLine(data)]
    case 'fallback':
      return [`${nameOf(data['to'])} takes over: ${String(data['reason'])}`]
    case 'repair': {
      const faults = data['faults'] as { path: string; message: string }[]
      return [`round ${String(data['round'])}: told back`, ...faults.map((each) => `  ${each.path} ${each.message}`)]
    }
    case 'plugins': {
      const missing = data['missing'] as { name: string; nearest: string[] }[]
      return missing.map(({ name, nearest }) => `plugin ${name} does not exist${near(nearest)}`)
    }
    default:
      return []
  }
}

function foundLine(data: Json): string {
  const { projectType, languages, frameworks, tools, packageManager, licence, ref, isCut } = data
  const all = [...new Set([languages, frameworks, tools].flatMap((each) => each as string[]))]
  const parts = [
    `a ${String(projectType)} project at ${String(ref)}`,
    ...(all.length === 0 ? [] : [all.join(', ')]),
    ...(packageManager === null ? [] : [`built with ${String(packageManager)}`]),
    `licence ${licence === null ? 'not named' : String(licence)}`,
    ...(isCut === true ? ['not all of it was read'] : []),
  ]
  return `found ${parts.join('; ')}`
}

const near = (names: readonly string[]): string => (names.length === 0 ? '' : `; nearest: ${names.join(', ')}`)

/** What a person should know before the draft is saved. */
export function verdictLines(kind: Kind, result: Result): string[] {
  const { compliance, suspicious, copied, rounds, usage, servedBy, action, quota } = result
  const { blocked, violations, deferredRules = [] } = compliance
  return [
    `verdict: ${blocked ? 'blocked' : violations.length > 0 ? 'warned' : 'passed'} (${rounds === 1 ? '1 answer' : `${rounds} answers`} of ${nameOf(servedBy)}, ${usage.totalTokens} tokens)`,
    ...violations.map(
      ({ severity, ruleName, message }) => `  ${String(severity)} ${String(ruleName)}: ${String(message)}`,
    ),
    ...deferredRules.map(({ ruleName }) => `  after the build, ${ruleName} checks the image`),
    ...suspicious.map(({ path, message }) => `look at ${path === '' ? 'the draft' : path}: it ${message}`),
    ...copied.map(({ path, file, licence }) => `look at ${path}: it copies ${file}, licence ${licence ?? 'not named'}`),
    ...(action === 'update' ? [existsLine(kind, result.body)] : []),
    ...(quota?.available === false ? [`it cannot be saved now: ${quota.message ?? 'the quota is used up'}`] : []),
  ]
}

const existsLine = (kind: Kind, { project, name, version }: Json): string =>
  kind === 'pipeline'
    ? `a pipeline of the project ${String(project)} exists: saving the draft replaces it`
    : `${String(name)} ${String(version)} exists: choose another version to save the draft`

/** Each place that differs, with both values: `- before`, `+ after`. */
export function differences(before: unknown, after: unknown, path = ''): string {
  if (JSON.stringify(before) === JSON.stringify(after)) return ''
  const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    const side = (sign: string, value: unknown) =>
      value === undefined ? '' : `${sign} ${printable(`${path === '' ? '/' : path} ${JSON.stringify(value)}`)}\n`
    return side('-', before) + side('+', after)
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.map((key) => differences(before[key], after[key], `${path}/${key}`)).join('')
}

async function save(
  session: Session,
  invocation: Invocation,
  io: Io,
  kind: Kind,
  { body, compliance }: Result,
): Promise<void> {
  if (compliance.blocked) throw new NotDoneError('nothing was saved: rules block the draft')
  await confirm(`save this ${kind}?`, invocation, io)
  await session.send({ method: 'POST', path: CREATES[kind], body, headers: { 'idempotency-key': randomUUID() } })
  await note(invocation, io, `the ${kind} is saved\n`)
}
