/**
 * The OpenAPI 3.1 document of a list of operations. Its schemas are the ones that validate requests and answers, its
 * errors those of the catalogue: what is documented is what runs. Source: platform decisions 23.
 */
import type { TObject, TSchema } from 'typebox'
import { ERROR_CATALOGUE, type ErrorCode } from '../errors.js'
import { isPublic } from './authorize.js'
import { declaredErrors } from './declared-errors.js'
import { describeAccess } from './describe-access.js'
import { exampleOf } from './example.js'
import { headers, parameters, schemas, securitySchemes } from './openapi-components.js'
import type { Download, Operation } from './operation.js'
import { ITEMS } from './schema.js'

export interface ApiInfo {
  readonly version: string
  /** Where the paths begin, such as `/api`. */
  readonly basePath: string
}

type Json = Record<string, unknown>

const DESCRIPTION = `Every answer is an envelope. Success: \`{"success":true,"statusCode":200,"data":{…}}\`. Failure:
\`{"success":false,"statusCode":404,"code":"NOT_FOUND","message":"Role not found","requestId":"…"}\`; validation failures list
every problem in \`details.issues\`.

Lists take \`limit\` and \`offset\`, or \`cursor\` from \`pagination.nextCursor\`. Clients ignore response fields they do not know.`

export function openapi(operations: readonly Operation[], { version, basePath }: ApiInfo): Json {
  const paths: Record<string, Json> = {}
  for (const operation of [...operations].sort((a, b) => (a.http.path < b.http.path ? -1 : 1))) {
    const path = bracePath(operation.http.path)
    paths[path] = { ...paths[path], [operation.http.method]: operationObject(operation) }
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Plumbline',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: [...new Set(operations.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: { schemas, headers, parameters, securitySchemes },
  }
}

const bracePath = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, '{$1}')

const tagOf = ({ name }: Operation): string => name.split('.').slice(0, 2).join(' ')

/** Without TypeBox's hidden marks. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema), withItems) as Json

/** The items of a list that are validated one by one are documented as those of any other. */
function withItems(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(ITEMS in value)) return value
  const { [ITEMS]: items, ...list } = value
  return { ...list, items }
}

function operationObject(operation: Operation): Json {
  const { name, summary, description, access, http, rateLimit } = operation
  const isOpen = isPublic(access)
  const body = requestBody(operation)
  return {
    operationId: name,
    tags: [tagOf(operation)],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: parametersOf(operation),
    ...(body === null ? {} : { requestBody: body }),
    responses: { ...successResponse(operation), ...errorResponses(operation) },
    security: isOpen ? [] : [{ bearer: [], ...(access.stepUp === false ? {} : { stepUp: [] }) }],
    'x-permission': describeAccess(access),
    'x-tenant': operation.tenant,
    ...(operation.kind === 'command' ? { 'x-audit': operation.audit } : {}),
    ...(http.aliases === undefined ? {} : { 'x-aliases': http.aliases.map(bracePath) }),
    ...(rateLimit === undefined ? {} : { 'x-rate-limit': rateLimit }),
  }
}

/** Whether the answer can be asked for again by `If-None-Match`. */
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
        // The server reads a list as one text with commas, or the name several times.
        ...(rest['type'] === 'array' ? { style: 'form', explode: false } : {}),
      }
    })
  }
  const shared = [
    'RequestId',
    ...(isPublic(access) ? [] : ['OrgId']),
    ...(access.stepUp === false ? [] : ['StepUpToken']),
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
  if (body === undefined) return null
  const { required } = body as { required?: string[] }
  const serverOwned = operation.kind === 'command' ? operation.serverOwned : undefined
  return {
    required: required === undefined || required.length > 0,
    content: { 'application/json': { schema: plain(body) } },
    ...(serverOwned === undefined ? {} : { 'x-server-owned': serverOwned }),
  }
}

const headerRefs = (...names: (keyof typeof headers)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const EVERY = ['X-Request-Id', 'X-API-Version', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

function successResponse(operation: Operation): Json {
  const { output, summary, kind } = operation
  const status = operation.http.status ?? 200
  if (kind === 'stream') {
    const { download } = operation
    const data = plain(output as TSchema)
    const example = `event: example\ndata: ${JSON.stringify(exampleOf(data))}\n\n`
    const events = { 'text/event-stream': { schema: { type: 'string' }, 'x-event-data': data, example } }
    if (download === undefined) {
      return { [status]: { description: summary, headers: headerRefs(...EVERY), content: events } }
    }
    const forms = 'choose' in download ? download.forms : [download]
    const content = {
      ...Object.fromEntries(forms.map((form) => [form.media, fileContent(form)])),
      ...('choose' in download && download.orEvents === true ? events : {}),
    }
    return { [status]: { description: summary, headers: headerRefs(...EVERY, 'Content-Disposition'), content } }
  }
  if (kind === 'file') {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' }, example: 'bytes' } }
    const named = headerRefs(...EVERY, 'Content-Disposition')
    return {
      [status]: { description: summary, headers: named, content },
      206: { description: 'The part that `Range` asks for', headers: named, content },
    }
  }
  if (kind === 'query' && operation.media !== undefined) {
    const schema = plain(output as TSchema)
    const content = { [operation.media]: { schema, example: exampleOf(schema) } }
    return { [status]: { description: summary, headers: headerRefs(...EVERY), content } }
  }
  if (status === 204 || output === null) return { [status]: { description: summary, headers: headerRefs(...EVERY) } }
  const isTagged = hasTag(operation)
  const replayed = kind === 'command' && operation.idempotent ? (['Idempotency-Replayed'] as const) : []
  const schema = {
    type: 'object',
    properties: { success: { const: true }, statusCode: { const: status }, data: plain(output as TSchema) },
    required: ['success', 'statusCode', 'data'],
  }
  const ok = {
    description: summary,
    headers: headerRefs(...EVERY, ...(isTagged ? (['ETag'] as const) : []), ...replayed),
    content: { 'application/json': { schema, example: exampleOf(schema) } },
  }
  if (!isTagged) return { [status]: ok }
  return { [status]: ok, 304: { description: 'Not changed since `If-None-Match`', headers: headerRefs('ETag') } }
}

/** A file of JSON is read as what it holds, any other as text. */
const fileContent = ({ media, example }: Download): Json =>
  media.startsWith('application/json;') || media === 'application/json'
    ? { schema: { type: 'object', additionalProperties: true }, example: JSON.parse(example) }
    : { schema: { type: 'string' }, example }

function errorResponses(operation: Operation): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of declaredErrors(operation)) {
    const { status } = ERROR_CATALOGUE[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, errorResponse(status, codes)]),
  )
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
