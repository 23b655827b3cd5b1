/**
 * The OpenAPI 3.1 document of a list of operations. Its schemas are those that validate requests and answers, and its
 * errors are those of the catalogue, so the documentation matches the server. Source: spec platform 23.
 */

import type { TObject, TSchema } from 'typebox'
import { ERROR_CATALOGUE, type ErrorCode } from '../errors.js'
import { isPublic } from './authorize.js'
import { declaredErrors } from './declared-errors.js'
import { describeAccess, describeAudit } from './describe-access.js'
import type { Dialect } from './dialect.js'
import { bodyExample, exampleOf } from './example.js'
import { FORM_EXAMPLES, FORM_MEDIA, formNames } from './forms.js'
import { nameSchemas } from './named-schemas.js'
import { headers, parameters, schemas, securitySchemes } from './openapi-components.js'
import { referToValues, valueSchemas } from './openapi-values.js'
import { type AnyCommand, type Download, isChange, type Operation } from './operation.js'
import { ITEMS } from './schema.js'

export interface ApiInfo {
  readonly version: string
  /** Where the paths begin, such as `/api`. */
  readonly basePath: string
}

type Json = Record<string, unknown>

const DESCRIPTION = `**Sign in.** Call \`POST /auth/login\` with \`identifier\` and \`password\`, copy \`accessToken\` from the answer, click **Authorize**
and paste it as \`bearer\`. A personal access token works as well. The page remembers the token in this browser until you log out there.

**Answers.** Every answer is an envelope. Success: \`{"success":true,"statusCode":200,"data":{…}}\`. Failure:
\`{"success":false,"statusCode":404,"code":"NOT_FOUND","message":"Role not found","requestId":"…"}\`; validation failures list
every problem in \`details.issues\`. Every answer has the headers \`X-Request-Id\`, \`X-API-Version\`, and, where
requests are limited, \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

**Lists** take \`limit\` and \`offset\`, or \`cursor\` from \`pagination.nextCursor\`. Clients ignore response fields they do not know.`

export function openapi(operations: readonly Operation[], { version, basePath }: ApiInfo): Json {
  const responses = sharedResponses()
  const places = operations.map((operation) => ({
    operation,
    body: requestBody(operation),
    success: successResponse(operation),
  }))
  const named = nameSchemas(places.flatMap(placesOf), new Set([...Object.keys(schemas), ...Object.keys(valueSchemas)]))
  const paths: Record<string, Json> = {}
  for (const { operation, body, success } of [...places].sort((a, b) =>
    a.operation.http.path < b.operation.http.path ? -1 : 1,
  )) {
    const path = bracePath(operation.http.path)
    const object = operationObject(operation, {
      body: body === null ? null : withSchemas(body, named.refer),
      responses: {
        ...Object.fromEntries(
          Object.entries(success).map(([status, each]) => [status, withSchemas(each as Json, referData(named.refer))]),
        ),
        ...errorResponses(operation, responses),
      },
    })
    paths[path] = { ...paths[path], [operation.http.method]: object }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: tagsOf(operations),
    paths: referToValues(paths),
    components: {
      schemas: { ...schemas, ...valueSchemas, ...(referToValues(named.schemas) as Json) },
      responses: { NotModified: notModified, ...responses.all() },
      headers,
      parameters,
      securitySchemes,
    },
  }
}

/** The schemas of an operation that may get a name: its JSON body, and the data of its answers. */
function placesOf({
  operation: { name: operationId },
  body,
  success,
}: {
  operation: Operation
  body: Json | null
  success: Json
}) {
  const json = (content: unknown): Json | undefined =>
    (content as { content?: { 'application/json'?: { schema: Json } } }).content?.['application/json']?.schema
  const bodySchema = body === null ? undefined : json(body)
  const data = Object.values(success).flatMap((answer) => {
    const schema = dataOf(json(answer))
    return schema === undefined ? [] : [schema]
  })
  return [
    ...(bodySchema === undefined ? [] : [{ operationId, role: 'body' as const, schema: bodySchema }]),
    ...data.map((schema) => ({ operationId, role: 'answer' as const, schema })),
  ]
}

const dataOf = (envelope: Json | undefined): Json | undefined =>
  (envelope?.['properties'] as { data?: Json } | undefined)?.data

/** Keeps the envelope and replaces its data with a reference. */
const referData =
  (refer: (schema: Json) => Json) =>
  (envelope: Json): Json => {
    const data = dataOf(envelope)
    if (data === undefined) return envelope
    return { ...envelope, properties: { ...(envelope['properties'] as Json), data: refer(data) } }
  }

/** A request body or an answer with the schemas of its JSON form replaced. */
function withSchemas(holder: Json, refer: (schema: Json) => Json): Json {
  const content = holder['content'] as Record<string, Json> | undefined
  const json = content?.['application/json']
  if (content === undefined || json === undefined) return holder
  return { ...holder, content: { ...content, 'application/json': { ...json, schema: refer(json['schema'] as Json) } } }
}

/** In the order of the operations: each domain lists its most important operations first. */
const tagsOf = (operations: readonly Operation[]): Json[] =>
  [...new Set(operations.map(tagOf))].map((name) => ({ name }))

const bracePath = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}')

const tagOf = ({ name }: Operation): string => name.split('.').slice(0, 2).join(' ')

/** Without TypeBox's hidden marks. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema), withItems) as Json

/** The items of a bulk list are validated one by one, but are documented like those of any list. */
function withItems(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(ITEMS in value)) return value
  const { [ITEMS]: items, ...list } = value
  return { ...list, items }
}

function operationObject(operation: Operation, { body, responses }: { body: Json | null; responses: Json }): Json {
  const { name, summary, access, http, rateLimit } = operation
  const isOpen = isPublic(access)
  return {
    operationId: name,
    tags: [tagOf(operation)],
    summary,
    description: describe(operation),
    parameters: parametersOf(operation),
    ...(body === null ? {} : { requestBody: body }),
    responses,
    security: isOpen ? [] : [{ bearer: [], ...(access.stepUp === false ? {} : { stepUp: [] }) }],
    'x-permission': describeAccess(access),
    'x-tenant': operation.tenant,
    ...(isChange(operation) ? { 'x-audit': (operation as AnyCommand).audit } : {}),
    ...(http.aliases === undefined ? {} : { 'x-aliases': http.aliases.map(bracePath) }),
    ...(rateLimit === undefined ? {} : { 'x-rate-limit': rateLimit }),
  }
}

/** The description of the operation, then who may call it and what evidence it writes. */
function describe(operation: Operation): string {
  const { description, access } = operation
  const facts = [
    `Access: ${describeAccess(access)}.`,
    ...(isChange(operation) ? [`Audit: ${describeAudit(operation)}.`] : []),
  ]
  return [...(description === undefined ? [] : [description]), facts.join(' ')].join('\n\n')
}

/** Whether a client can send `If-None-Match` for the answer. */
const hasTag = ({ kind, http, secretOutput }: Operation): boolean =>
  kind === 'query' && http.method === 'get' && !secretOutput

function parametersOf(operation: Operation): Json[] {
  const { input, access, kind } = operation
  const from = (schema: TObject | undefined, place: 'path' | 'query'): Json[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, TSchema>
      required?: string[]
    }
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = plain(property)
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
        // The server accepts a list as one text with commas, or as a repeated parameter; some only as the latter.
        ...(rest['type'] === 'array' ? { style: 'form', explode: rest['x-repeated'] === true } : {}),
      }
    })
  }
  const shared = [
    'RequestId',
    ...(isPublic(access) ? [] : ['OrgId']),
    ...(access.stepUp === false && access.stepUpWhen === undefined ? [] : ['StepUpToken']),
    ...(hasTag(operation) && operation.kind === 'query' && operation.media === undefined ? ['IfNoneMatch'] : []),
    ...(kind === 'stream' ? ['LastEventId'] : []),
    ...(kind === 'file' ? ['Range'] : []),
    ...(kind === 'command' && operation.idempotent ? ['IdempotencyKey'] : []),
    ...(kind === 'command' && operation.http.method !== 'post' ? ['IfMatch'] : []),
  ]
  return [
    ...from(input.path, 'path'),
    ...from(input.query, 'query'),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function requestBody(operation: Operation): Json | null {
  const body = operation.input.body as TSchema | undefined
  if (operation.kind === 'command' && operation.upload !== undefined) {
    const { part, contentTypes, bytesMax } = operation.upload
    const { properties = {}, required = [] } = (body === undefined ? {} : plain(body)) as {
      properties?: Record<string, Json>
      required?: string[]
    }
    const file = { type: 'string', contentMediaType: contentTypes[0], 'x-bytes-max': bytesMax }
    const schema = {
      type: 'object',
      properties: { ...properties, [part]: file },
      required: [...required, part],
      additionalProperties: false,
    }
    const encoding = {
      [part]: { contentType: contentTypes.join(', ') },
      ...Object.fromEntries(
        Object.entries(properties).flatMap(([name, { 'x-json': isJson }]) =>
          isJson === true ? [[name, { contentType: 'application/json' }]] : [],
        ),
      ),
    }
    return { required: true, content: { 'multipart/form-data': { schema, encoding } } }
  }
  if (operation.kind === 'command' && operation.raw !== undefined) {
    const { mediaType, description, bytesMax } = operation.raw
    const schema = { type: 'string', format: 'binary', 'x-bytes-max': bytesMax }
    return { required: true, description, content: { [mediaType]: { schema, example: 'bytes' } } }
  }
  if (body === undefined) return null
  const { required } = body as { required?: string[] }
  const serverOwned = operation.kind === 'command' ? operation.serverOwned : undefined
  return {
    required: required === undefined || required.length > 0,
    content: {
      [operation.dialect?.media ?? 'application/json']: { schema: plain(body), example: bodyExample(plain(body)) },
    },
    ...(serverOwned === undefined ? {} : { 'x-server-owned': serverOwned }),
  }
}

const headerRefs = (...names: (keyof typeof headers)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers of every answer. They are documented at errors and in the introduction, not again at each success. */
const EVERY = ['X-Request-Id', 'X-API-Version', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** Describes a success, such as "Created. `data` holds `rule`.". */
function describeSuccess({ kind, output, http }: Operation, status = http.status): string {
  if (kind === 'stream') return 'The file, or the events as they happen'
  if (kind === 'file') return 'The file'
  const word =
    status === 201 ? 'Created.' : status === 202 ? 'Accepted; the work continues in the background.' : 'Success.'
  const keys = Object.keys(((output as TObject | null)?.properties ?? {}) as object).map((key) => `\`${key}\``)
  if (output === null || http.status === 204) return 'Success, without a body.'
  return keys.length === 0
    ? word
    : `${word} \`data\` holds ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ' and more' : ''}.`
}

function successResponse(operation: Operation): Json {
  const { output, kind } = operation
  const description = describeSuccess(operation)
  const status = operation.http.status ?? 200
  if (kind === 'stream') {
    const { download } = operation
    const data = plain(output as TSchema)
    const example = `event: example\ndata: ${JSON.stringify(exampleOf(data))}\n\n`
    const events = { 'text/event-stream': { schema: { type: 'string' }, 'x-event-data': data, example } }
    if (download === undefined) {
      return { [status]: { description, content: events } }
    }
    const forms = 'choose' in download ? download.forms : [download]
    const content = {
      ...Object.fromEntries(forms.map((form) => [form.media, fileContent(form)])),
      ...('choose' in download && download.orEvents === true ? events : {}),
    }
    return { [status]: { description, headers: headerRefs('Content-Disposition'), content } }
  }
  if (kind === 'file') {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' }, example: 'bytes' } }
    const named = headerRefs('Content-Disposition')
    return {
      [status]: { description, headers: named, content },
      206: { description: 'The requested `Range`', headers: named, content },
    }
  }
  if (kind === 'query' && operation.media !== undefined) {
    const schema = plain(output as TSchema)
    const content = { [operation.media]: { schema, example: exampleOf(schema) } }
    return { [status]: { description, content } }
  }
  if (status === 204 || output === null) return { [status]: { description } }
  if (operation.dialect !== undefined) {
    const schema = plain(output as TSchema)
    return { [status]: { description, content: { [operation.dialect.media]: { schema, example: exampleOf(schema) } } } }
  }
  const isTagged = hasTag(operation)
  const replayed = kind === 'command' && operation.idempotent ? (['Idempotency-Replayed'] as const) : []
  const data = plain(output as TSchema)
  const answerWith = (code: number) => {
    const schema = {
      type: 'object',
      properties: { success: { const: true }, statusCode: { const: code }, data },
      required: ['success', 'statusCode', 'data'],
    }
    return {
      description: describeSuccess(operation, code),
      ...(isTagged || replayed.length > 0
        ? { headers: headerRefs(...(isTagged ? (['ETag'] as const) : []), ...replayed) }
        : {}),
      content: { 'application/json': { schema, example: exampleOf(schema) }, ...otherForms(operation) },
    }
  }
  const ok = answerWith(status)
  const others = kind === 'command' ? (operation.otherStatuses ?? []) : []
  if (others.length > 0) return Object.fromEntries([status, ...others].map((code) => [code, answerWith(code)]))
  if (!isTagged) return { [status]: ok }
  return { [status]: ok, 304: { $ref: '#/components/responses/NotModified' } }
}

const notModified = { description: 'Not changed since `If-None-Match`', headers: headerRefs('ETag') }

const otherForms = (operation: Operation): Json => {
  if (operation.kind === 'command') {
    const page = { [FORM_MEDIA.html]: { schema: { type: 'string' }, example: FORM_EXAMPLES.html } }
    return operation.raw?.page === undefined ? {} : page
  }
  return operation.kind === 'query' && operation.forms !== undefined
    ? Object.fromEntries(
        formNames(operation.forms).map((name) => [
          FORM_MEDIA[name],
          { schema: { type: 'string' }, example: FORM_EXAMPLES[name] },
        ]),
      )
    : {}
}

/** A JSON file is described by its content, any other file as text. */
const fileContent = ({ media, example }: Download): Json =>
  media.startsWith('application/json;') || media === 'application/json'
    ? { schema: { type: 'object', additionalProperties: true }, example: JSON.parse(example) }
    : { schema: { type: 'string' }, example }

/** The failures of an operation, each a reference to a response that operations share. */
function errorResponses(operation: Operation, shared: SharedResponses): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of declaredErrors(operation)) {
    const { status } = ERROR_CATALOGUE[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const { dialect } = operation
  const reference = (status: number, codes: readonly ErrorCode[]) =>
    dialect === undefined ? shared.refer(status, codes) : shared.referIn(dialect)
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, { $ref: reference(status, codes) }]),
  )
}

interface SharedResponses {
  /** The reference to the response of these codes. */
  refer(status: number, codes: readonly ErrorCode[]): string
  /** The same for every error of another protocol. */
  referIn(dialect: Dialect): string
  all(): Readonly<Record<string, Json>>
}

/** Codes that occur together, by the name of their response. Longer families come first. */
const FAMILIES = {
  Token: ['TOKEN_EXPIRED', 'TOKEN_INVALID', 'TOKEN_MISSING', 'TOKEN_REVOKED'],
  StepUp: ['STEP_UP_INVALID', 'STEP_UP_MISMATCH', 'STEP_UP_REPLAY', 'STEP_UP_REQUIRED'],
  Template: [
    'TEMPLATE_CYCLE',
    'TEMPLATE_PARSE_ERROR',
    'TEMPLATE_SECRETS_RESERVED',
    'TEMPLATE_SIZE_EXCEEDED',
    'TEMPLATE_TYPE_MISMATCH',
    'TEMPLATE_UNKNOWN_PATH',
    'TEMPLATE_VALIDATION_FAILED',
  ],
  TemplateText: [
    'TEMPLATE_PARSE_ERROR',
    'TEMPLATE_SECRETS_RESERVED',
    'TEMPLATE_SIZE_EXCEEDED',
    'TEMPLATE_TYPE_MISMATCH',
    'TEMPLATE_UNKNOWN_PATH',
    'TEMPLATE_VALIDATION_FAILED',
  ],
  Denied: ['INSUFFICIENT_PERMISSIONS', 'ORG_MISMATCH'],
  InvitationEnded: ['INVITATION_ACCEPTED', 'INVITATION_DECLINED', 'INVITATION_EXPIRED', 'INVITATION_REVOKED'],
} as const satisfies Record<string, readonly ErrorCode[]>

function sharedResponses(): SharedResponses {
  const all = new Map<string, Json>()
  return {
    refer(status, codes) {
      const name = responseName(codes)
      if (!all.has(name)) all.set(name, errorResponse(status, codes))
      return `#/components/responses/${name}`
    },
    referIn({ name, media, errorSchema }) {
      const schema = plain(errorSchema)
      const content = { [media]: { schema, example: exampleOf(schema) } }
      all.set(`${name}Error`, { description: `An error in the format of ${name}`, content })
      return `#/components/responses/${name}Error`
    },
    all: () => Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/**
 * Returns a name such as `NotFound` or `TokenOrStepUp`. It follows from the codes alone, so it stays when operations
 * are added or removed.
 */
function responseName(codes: readonly ErrorCode[]): string {
  const left = new Set<string>(codes)
  const names: string[] = []
  for (const [family, members] of Object.entries(FAMILIES)) {
    if (!members.every((code) => left.has(code))) continue
    for (const code of members) left.delete(code)
    names.push(family)
  }
  const words = (code: string) =>
    code
      .toLowerCase()
      .split('_')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')
  return [...names, ...[...left].map(words)].join('Or')
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  const more =
    status === 401
      ? (['WWW-Authenticate'] as const)
      : status === 429 || status === 503
        ? (['Retry-After'] as const)
        : []
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].title}`).join('\n\n'),
    headers: headerRefs(...EVERY, ...more),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { statusCode: { const: status }, code: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: refusalExample(code, status) }])),
      },
    },
  }
}

const refusalExample = (code: ErrorCode, statusCode: number): Json => ({
  success: false,
  statusCode,
  code,
  message: ERROR_CATALOGUE[code].title,
  ...(code === 'VALIDATION_ERROR'
    ? { details: { issues: [{ path: '/body/name', message: 'is required', code: 'required' }] } }
    : {}),
  requestId: '019a9b52-1c00-7000-8000-000000000000',
})
