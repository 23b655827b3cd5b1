/** Runs a command that is one request: the arguments and flags become path, query and body, and the answer is shown. */
import { randomUUID } from 'node:crypto'
import { type CommandRun, ExitCode, type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import { instantOf } from '../input/instant.js'
import { optionNames } from '../program/option-names.js'
import { formOf } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { secretIn } from '../program/secret-variable.js'
import { write } from '../program/write.js'
import { confirm } from '../remote/confirm.js'
import { openSession, type Session, telling } from '../remote/session.js'
import { confirming } from '../remote/step-up.js'
import { readBodyFile } from './body-file.js'
import { factsOf } from './described.js'
import { savePicture, showPlot } from './draw.js'
import { idOf, readKey } from './keys.js'
import { everyRecord, fetchPage, type PageInfo } from './pages.js'
import { pairsOf } from './pairs.js'
import type { Action, ActionArgument, Current, Flag, JsonObject, Resource } from './resource.js'
import { showOutcome, showRecord, showRecords, valueAt } from './show.js'
import { typedFor } from './typed.js'

export const call =
  (resource: Resource, command: Action): CommandRun =>
  async (invocation, io) => {
    const action = requested(command, invocation)
    return telling(
      async () => {
        const session = openSession(invocation, io)
        const { path, fields, asked, id } = await placeArguments(session, resource, action, invocation)
        const query = { ...action.asks, ...asked, ...queryOf(invocation, action.query ?? [], io) }
        if (action.shows.as === 'list') {
          await showList(session, invocation, io, { path, query, shows: action.shows })
          return ExitCode.clean
        }
        const { svg } = invocation.options
        if (typeof svg === 'string') {
          await savePicture(session, io, { path, query, file: svg })
          return ExitCode.clean
        }
        const request = await bodyOf(action, invocation, io, fields)
        if (action.asksFirst === true) {
          const { one } = resource
          await confirm(`${action.name} ${one} ${printable(invocation.arguments.join(' '))}?`, invocation, io)
        }
        const key = factsOf(action).isIdempotent === true ? { 'idempotency-key': randomUUID() } : {}
        const send = (confirmation: Record<string, string>) =>
          session.send({ method: action.method, path, query, ...request, headers: { ...key, ...confirmation } })
        const { data } = await confirming(session, io, send)
        await show(action, invocation, io, data, { sent: request.body ?? {}, id })
        const isBad = action.shows.as === 'verdict' && (data as JsonObject).valid !== true
        return isBad ? ExitCode.findings : ExitCode.clean
      },
      typedFor(action, invocation),
    )
  }

/** @throws UsageError unless there is either the argument or `--all`, and for a flag without the `--all` that it needs. */
function requested(action: Action, { arguments: [given], options }: Invocation): Action {
  const { all, query = [], arguments: [argument] = [] } = action
  if (all === undefined) return action
  const named = argument?.syntax.replace(/[[\]]/g, '')
  if (options.all === true) {
    if (given === undefined) return all
    throw new UsageError(`--all and a ${named} exclude each other: leave out --all or \`${printable(String(given))}\``)
  }
  if (given === undefined) throw new UsageError(`there is no ${named}: name one, or give --all`)
  const own = new Set(query.map(({ flags }) => flags))
  const extra = (all.query ?? []).find((flag) => !own.has(flag.flags) && options[optionNames(flag).key] !== undefined)
  if (extra === undefined) return action
  throw new UsageError(`${optionNames(extra).long} chooses among all: give it with --all, without a ${named}`)
}

/** Fills in the parameters of the path, and collects the arguments that belong in the body and the query. */
async function placeArguments(session: Session, resource: Resource, action: Action, invocation: Invocation) {
  let { path } = action
  const fields: Record<string, unknown> = {}
  const asked: Record<string, string> = {}
  let id: string | null = null
  for (const [at, argument] of (action.arguments ?? []).entries()) {
    const { means, sends, of = [resource] } = argument
    const given = invocation.arguments[at]
    if (given === undefined) continue
    if (means === 'body') fields[sends] = given
    else if (means === 'query') asked[sends] = String(given)
    else if (means === 'bodyKey') fields[sends] = await idOf(session, of, String(given))
    else if (means === 'bodyRecord') Object.assign(fields, recordNamed(argument, String(given), fields))
    else {
      const text = String(given)
      const value = means === 'key' ? await idOf(session, of, text) : text
      id = value
      path = path.replace(`{${sends}}`, encodeURIComponent(value))
    }
  }
  const { current } = action
  if (current !== undefined && path.includes(`{${current.sends}}`)) {
    id = await currentId(session, current)
    path = path.replace(`{${current.sends}}`, encodeURIComponent(id))
  }
  return { path: path.replace(/\/\{\w+\}$/, ''), fields, asked, id }
}

/** @throws NotDoneError if there is none. */
async function currentId(session: Session, { path, at, otherwise }: Current): Promise<string> {
  const { data } = await session.send({ method: 'GET', path })
  const id = valueAt(data, at)
  if (typeof id === 'string') return id
  throw new NotDoneError(...otherwise)
}

/** An id, or a key that is sent as it is, because the record need not exist. */
function recordNamed(
  { sends, sendsKey = sends, kindFrom = '', of = [], description }: ActionArgument,
  text: string,
  fields: JsonObject,
) {
  const kind = of.find(({ one }) => one === fields[kindFrom])
  if (kind === undefined) return { [sends]: text }
  const { isLastOptional: _, ...key } = kind.key
  const named = readKey({ ...kind, key }, text, description)
  return 'id' in named ? { [sends]: named.id } : { [sendsKey]: named }
}

/** The fields that flags send, in the order of the flags. A flag that is not given sends nothing. */
function valuesOf(
  { options }: Invocation,
  flags: readonly Flag[],
  io: Io,
): { flag: Flag; name: string; value: unknown }[] {
  return flags.flatMap((flag) => {
    const { key } = optionNames(flag)
    const isAfter = flag.nowAfter !== undefined && options[flag.nowAfter] !== undefined
    const value = options[key] ?? (isAfter ? io.now().toISOString() : undefined)
    if (value === undefined) return []
    return [{ flag, name: flag.sends ?? key, value: sentFor(flag, value, io) }]
  })
}

function sentFor({ value, isInstant, holds }: Flag, given: unknown, io: Io): unknown {
  if (value !== undefined) return value
  if (holds !== undefined) return secretIn(io, String(given), holds)
  return isInstant === true ? instantOf(String(given)) : given
}

/** The query parameters that flags send. */
export function queryOf(invocation: Invocation, flags: readonly Flag[], io: Io): Record<string, string> {
  return Object.fromEntries(
    valuesOf(invocation, flags, io).flatMap(({ flag, name, value }) =>
      flag.isPairs === true
        ? pairsOf(value).map(([pair, text]) => [`${name}.${pair}`, text])
        : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
    ),
  )
}

async function bodyOf(
  action: Action,
  invocation: Invocation,
  io: Io,
  fields: JsonObject,
): Promise<{ body?: JsonObject }> {
  const { file } = invocation.options
  const body = {
    ...action.sends,
    ...(action.bodyFile !== undefined && typeof file === 'string' ? await readBodyFile(file, io) : {}),
    ...Object.fromEntries(
      valuesOf(invocation, action.body ?? [], io).map(({ flag, name, value }) => [
        name,
        flag.isPairs === true
          ? Object.fromEntries(pairsOf(value).map(([pair, text]) => [pair, pairValue(flag, text)]))
          : flag.asList === undefined
            ? value
            : listOf(flag.asList, value),
      ]),
    ),
    ...fields,
  }
  // A command that can have a body always sends one, so that the server can report what is missing.
  return action.body === undefined && Object.keys(body).length === 0 ? {} : { body }
}

/** @throws UsageError for a count that is not a number. */
function listOf({ name, count }: NonNullable<Flag['asList']>, value: unknown): JsonObject[] {
  return [value].flat().map((given) => {
    const [text = '', number = '1'] = String(given).split('=')
    if (!/^\d+$/.test(number)) throw new UsageError(`\`${number}\` is not a whole number`)
    return { [name]: text, [count]: Number(number) }
  })
}

function pairValue({ areNumbers }: Flag, text: string): unknown {
  if (areNumbers !== true || text === 'null') return areNumbers === true ? null : text
  if (!/^-?\d+$/.test(text)) throw new UsageError(`\`${text}\` is not a whole number`)
  return Number(text)
}

const LIST_DEFAULT = 50

interface ListRequest {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly shows: Extract<Action['shows'], { as: 'list' }>
}

async function showList(session: Session, invocation: Invocation, io: Io, { path, query, shows }: ListRequest) {
  const { options } = invocation
  const order = {
    ...(options.sortBy === undefined ? {} : { sortBy: String(options.sortBy) }),
    ...(options.sortOrder === undefined ? {} : { sortOrder: String(options.sortOrder) }),
  }
  const { key, columns } = shows
  if (options.all === true) {
    await showRecords(invocation, io, { columns, records: everyRecord(session, path, key, { ...query, ...order }) })
    return
  }
  const { limit, offset } = options
  const place = { limit: String(limit ?? LIST_DEFAULT), ...(offset === undefined ? {} : { offset: String(offset) }) }
  const { records, pagination } = await fetchPage(session, path, key, { ...query, ...order, ...place })
  await showRecords(invocation, io, { columns, records })
  if (options.quiet !== true) await write(io.stderr, remark(pagination, records.length))
}

function remark({ total, hasMore, offset }: PageInfo, shown: number): string {
  if (!hasMore) return ''
  return `${offset + 1} to ${offset + shown} of ${total}; --all shows all of them\n`
}

interface Asked {
  readonly sent: JsonObject
  /** The id in the path; null without one. */
  readonly id: string | null
}

async function showRows(
  shows: Extract<Action['shows'], { as: 'rows' }>,
  invocation: Invocation,
  io: Io,
  data: unknown,
) {
  const { options } = invocation
  const records = (valueAt(data, shows.key) ?? []) as JsonObject[]
  if (options.plot === true && shows.plot !== undefined) await showPlot(invocation, io, records, shows.plot)
  else await showRecords(invocation, io, { records, columns: shows.columns })
  if (options.quiet === true) return
  const next = valueAt(data, 'nextStep')
  if (typeof next === 'string') await write(io.stderr, `${printable(next)}\n`)
  const leftOut = valueAt(data, 'leftOut')
  if (typeof leftOut === 'number' && leftOut > 0) {
    await write(io.stderr, `${leftOut} more match and are not listed: give a filter, such as --project\n`)
  }
}

async function show(
  { shows }: Action,
  invocation: Invocation,
  io: Io,
  data: unknown,
  { sent, id }: Asked,
): Promise<void> {
  switch (shows.as) {
    case 'list':
      return
    case 'rows':
      return showRows(shows, invocation, io, data)
    case 'members': {
      const record = (data as JsonObject)[shows.key]
      if (formOf(invocation, 'table') !== 'table') {
        await showRecord(invocation, io, record)
        return
      }
      const members = Object.entries((valueAt(record, shows.rows) ?? {}) as Readonly<Record<string, JsonObject>>)
      const records = members.map(([name, member]): JsonObject => {
        const limitless = shows.unlimited.filter((field) => member[field] === -1).map((field) => [field, 'no limit'])
        return { ...member, ...Object.fromEntries(limitless), [shows.nameAs]: name }
      })
      await showRecords(invocation, io, { records, columns: shows.columns })
      return
    }
    case 'bill':
      await (await import('./bill-chart.js')).showBill(invocation, io, data)
      return
    case 'verdict':
      await showRecord(invocation, io, data)
      return
    case 'record': {
      const record = shows.key === undefined ? data : (data as JsonObject)[shows.key]
      if (shows.columns === undefined) await showRecord(invocation, io, record)
      else await showOutcome(invocation, io, record as JsonObject, shows.columns)
      if (shows.next === undefined || invocation.options.quiet === true) return
      await write(io.stderr, `${printable(shows.next(record as JsonObject))}\n`)
      return
    }
    case 'document': {
      const named = Object.entries(sent).filter(([field]) => shows.sent.includes(field))
      await showRecord(invocation, io, { kind: shows.kind, ...Object.fromEntries(named), ...(data as JsonObject) })
      return
    }
    case 'note':
      if (invocation.options.format !== undefined) await showRecord(invocation, io, data)
      else if (invocation.options.quiet !== true) {
        const named = shows.undo === undefined ? '' : ` ${printable(String(invocation.arguments[0]))}`
        const undo = shows.undo === undefined ? '' : `; restore with \`${shows.undo} ${id}\``
        await write(io.stderr, `${shows.text}${named}${undo}\n`)
      }
  }
}
