/**
 * Reads and validates the input of a request: path, query and body. Every problem is reported at once. What can be
 * prepared is prepared once for each operation.
 */
import type { Context } from 'hono'
import type { TObject, TSchema } from 'typebox'
import { type FieldIssue, invalid, invalidField, notFound } from '../errors.js'
import { UUID } from '../ids.js'
import type { Runtime } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { problems } from '../operation/schema.js'
import { hasNoBody, readJson } from './body.js'
import { pathReader, queryReader } from './coerce.js'
import type { CheckedInput } from './execute.js'
import { nulIssues } from './nul.js'
import type { SentHeaders } from './sent-headers.js'

/** Path and query, checked together with the body by `finish`. */
export type InputReader = (
  c: Context,
  headers: SentHeaders,
  /** Called before more than the beginning of a large body is read. */
  beforeLarge?: () => Promise<void>,
) => CheckedInput | Promise<CheckedInput>

const NOTHING = Object.freeze({})

export interface InputLimits {
  readonly bodyBytesMax: number
  /** The largest `limit` of a list. */
  readonly pageMax: number
  readonly runtime: Pick<Runtime, 'settings'>
}

export function inputReader(operation: Operation, { bodyBytesMax, pageMax, runtime }: InputLimits): InputReader {
  const readParameters = parameterReader(operation, pageMax)
  const bodySchema = operation.input.body as TSchema | undefined
  const { serverOwned, furtherIssues = undefined } =
    operation.kind === 'command' && operation.upload === undefined ? operation : { serverOwned: undefined }
  const readsRevision = operation.kind === 'command'

  // Uploads and operations without a body have nothing to wait for.
  if (bodySchema === undefined || (operation.kind === 'command' && operation.upload !== undefined)) {
    return (c, headers) => {
      const { path, query, issues } = readParameters(c)
      if (issues.length > 0) throw invalid(issues)
      const expectedRevision = readsRevision ? expectedRevisionOf(headers) : null
      return { path, query, body: undefined, expectedRevision }
    }
  }
  const { dialect } = operation
  const accepted = dialect === undefined ? {} : { accepted: [dialect.media, 'application/json'] as const }
  const absentBody = { value: allowsEmpty(bodySchema) ? {} : undefined, mayHoldNul: false }
  return async (c, headers, beforeLarge) => {
    const { path, query, issues } = readParameters(c)
    const expectedRevision = readsRevision ? expectedRevisionOf(headers) : null
    const read = hasNoBody(c.req.raw, headers)
      ? absentBody
      : await readJson(c.req.raw, headers, { bytesMax: bodyBytesMax, beforeLarge, ...accepted })
    const { value: sent, mayHoldNul } = read
    if (sent === undefined) {
      issues.push({ path: '/body', message: 'is required', code: 'required' })
      throw invalid(issues)
    }
    const { body, taken } = takeOut(sent, serverOwned)
    issues.push(...problems(bodySchema, body, '/body'))
    if (issues.length > 0 && furtherIssues !== undefined && isObject(body) && !issues.some(isOfSize)) {
      const told = issues.map(({ path }) => path)
      issues.push(...furtherIssues(body, runtime).filter(({ path }) => !told.some((each) => isWithin(path, each))))
    }
    if (mayHoldNul) issues.push(...nulIssues(sent, '/body'))
    if (issues.length > 0) throw invalid(issues)
    return taken === undefined
      ? { path, query, body, expectedRevision }
      : { path, query, body, expectedRevision, serverOwned: taken }
  }
}

/** Problems of size are reported alone: nothing else is examined before the sizes are right. */
const SIZES: ReadonlySet<string> = new Set(['maxLength', 'maxItems', 'maxProperties'])
const isOfSize = ({ code }: FieldIssue): boolean => SIZES.has(code)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`)

interface Parameters {
  readonly path: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly issues: FieldIssue[]
}

/** @throws Refusal 404 for an id in the path that no record can have, on GET and DELETE (spec platform 1.11). */
function parameterReader(operation: Operation, pageMax: number): (c: Context) => Parameters {
  const pathSchema = operation.input.path as TObject | undefined
  const querySchema = operation.input.query as TObject | undefined
  const readPath = pathSchema && pathReader(pathSchema)
  const readQuery = querySchema && queryReader(querySchema, pageMax)
  const ids = Object.entries((pathSchema?.properties ?? {}) as Record<string, { pattern?: string }>)
    .filter(([, { pattern }]) => pattern === UUID.source)
    .map(([name]) => name)
  const isLookUp = operation.http.method === 'get' || operation.http.method === 'delete'
  return (c) => {
    const issues: FieldIssue[] = []
    const path: Record<string, unknown> = readPath === undefined ? NOTHING : readPath((name) => c.req.param(name))
    if (pathSchema !== undefined) {
      const wrong = isLookUp ? ids.find((name) => !UUID.test(String(path[name]))) : undefined
      if (wrong !== undefined) throw notFound(entityOf(operation, wrong), 'the id in the path is not a UUID')
      issues.push(...problems(pathSchema, path, '/path'), ...nulIssues(path, '/path'))
    }
    let query: Record<string, unknown> = NOTHING
    if (readQuery !== undefined) {
      query = readQuery(c.req.queries())
      issues.push(...problems(querySchema as TObject, query, '/query'), ...nulIssues(query, '/query'))
    }
    return { path, query, issues }
  }
}

/**
 * The kind of record that a parameter of the path names. `identity.service-principal.get` is about a "Service
 * principal". In `/pipelines/:id/scorecard` the id is that of a "Pipeline", whatever the operation is about.
 */
export function entityOf({ name, http: { path } }: Pick<Operation, 'name' | 'http'>, parameter: string): string {
  const segments = path.split('/')
  const at = segments.indexOf(`:${parameter}`)
  const isOwner = parameter === 'id' && at > 0 && at < segments.length - 1
  const owner = (segments[at - 1] ?? '').replace(/ies$/, 'y').replace(/s$/, '')
  const noun = (isOwner ? owner : (name.split('.')[1] ?? '')).replaceAll('-', ' ')
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}

/** True when the body may be left out, because an empty object is valid. */
const allowsEmpty = (schema: TSchema): boolean => {
  const { type, required, minProperties } = schema as { type?: string; required?: string[]; minProperties?: number }
  return type === 'object' && (required ?? []).length === 0 && (minProperties ?? 0) === 0
}

/** Removes the fields that only the server sets from the body of an update. */
function takeOut(
  body: unknown,
  names: readonly string[] | undefined,
): { body: unknown; taken?: Record<string, unknown> } {
  if (names === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return { body }
  // Copied only when there is something to remove, because a body may have very many fields.
  const taken = names.filter((name) => Object.hasOwn(body, name))
  if (taken.length === 0) return { body }
  const sent = Object.entries(body)
  return {
    body: Object.fromEntries(sent.filter(([name]) => !taken.includes(name))),
    taken: Object.fromEntries(sent.filter(([name]) => taken.includes(name))),
  }
}

const ENTITY_TAG = /^"?(\d{1,15})(?:\.[A-Za-z0-9_-]{1,64})?"?$/

/** The revision of `If-Match: "3.x9f"` or `3`; null for `*` and without the header. */
export function expectedRevisionOf(headers: SentHeaders): number | null {
  const value = headers.get('if-match')?.trim()
  if (value === undefined || value === '*') return null
  const revision = ENTITY_TAG.exec(value)?.[1]
  if (revision === undefined) {
    throw invalidField('/headers/if-match', 'is not one strong ETag of a record, such as "3.x9f2"', 'if_match')
  }
  return Number(revision)
}
