/**
 * Makes an example of a schema for the API's documentation. It is the same each time, has every field, and is valid
 * against the schema. Texts and numbers are chosen by the name of their field, so that they look realistic.
 */
import { UUID } from '../ids.js'
import { ITEMS } from './schema.js'

type Json = Record<string, unknown>

const INSTANT = '2026-01-15T09:30:00.000Z'
const ID = '019a9b52-1c00-7000-8000-000000000000'
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** Example values by the name of the field. They are used when the schema allows them. */
const BY_NAME: Json = {
  username: 'ann',
  email: 'ann@example.com',
  actorEmail: 'ann@example.com',
  pendingEmail: 'ann@example.org',
  supportAlias: 'support@example.com',
  name: 'Acme',
  identifier: 'ann',
  password: 'a long sentence is a good password',
  newPassword: 'a long sentence is a good password',
  project: 'web',
  organization: 'acme',
  pipelineName: 'web-deploy',
  cronExpression: '0 3 * * *',
  reason: 'The vendor ships the fix in March',
  description: 'Builds and deploys the web application',
  content: 'When does the new rule apply to us?',
  subject: 'A question about a rule',
  displayName: 'Acme Inc.',
  orgName: 'Acme',
  slug: 'acme',
  tier: 'team',
  previousTier: 'pro',
  ip: '192.0.2.7',
  userAgent: 'curl/8.5.0',
  action: 'org.update',
  actorId: ID,
  targetId: ID,
  targetType: 'organization',
  requestId: ID,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  hash: HASH,
  prevHash: HASH,
  eventHash: HASH,
  root: HASH,
  chain: ID,
  version: '1.0.0',
  total: 42,
  limit: 10,
  offset: 0,
  hasMore: true,
  isSystem: false,
  isTeam: false,
  mustChangePassword: false,
  deletedOrganizations: 0,
  expiresIn: 7200,
  refreshExpiresIn: 2_592_000,
}

/** @param name of the field that the value stands in. */
export function exampleOf(schema: Json, name = ''): unknown {
  if ('const' in schema) return schema['const']
  const [given] = (schema['examples'] ?? []) as unknown[]
  if (given !== undefined) return given
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (choices !== undefined) return exampleOf(choices.find((each) => each['type'] !== 'null') ?? {}, name)
  const values = schema['enum'] as unknown[] | undefined
  if (values !== undefined) return values.includes(BY_NAME[name]) ? BY_NAME[name] : values[0]
  switch (schema['type']) {
    case 'object':
      return objectExample(schema)
    case 'array':
      // One entry shows the form; there are more only when the schema requires more.
      return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () =>
        exampleOf((schema['items'] ?? schema[ITEMS] ?? {}) as Json, name),
      )
    case 'string':
      return textExample(schema, name)
    case 'integer':
    case 'number':
      return numberExample(schema, BY_NAME[name])
    case 'boolean':
      return typeof BY_NAME[name] === 'boolean' ? BY_NAME[name] : true
    case 'null':
      return null
    default:
      return {}
  }
}

/** An example of a request body: its required fields, or the first two fields when all are optional. */
export function bodyExample(schema: Json): unknown {
  const {
    type,
    properties = {},
    required = [],
    examples,
  } = schema as {
    type?: string
    properties?: Record<string, Json>
    required?: string[]
    examples?: unknown[]
  }
  if (type !== 'object' || examples !== undefined) return exampleOf(schema)
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 2)
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, each]) => (shown.includes(key) ? [[key, bodyValue(each, key)]] : [])),
  )
}

const bodyValue = (schema: Json, name: string): unknown =>
  schema['type'] === 'object' && schema['properties'] !== undefined ? bodyExample(schema) : exampleOf(schema, name)

function objectExample({ properties = {}, patternProperties = {} }: Json): Json {
  const named = Object.entries(properties as Record<string, Json>).map(([key, each]) => [key, exampleOf(each, key)])
  // A map whose keys are chosen by users.
  const open = Object.values(patternProperties as Record<string, Json>).map((each) => ['example', exampleOf(each)])
  return Object.fromEntries([...named, ...open])
}

function textExample({ format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Json, name: string) {
  if (format === 'date-time') return INSTANT
  if (format === 'email') return 'ann@example.com'
  if (format === 'uri') return 'https://plumbline.example.com'
  if (pattern === UUID.source) return ID
  if (name === 'url') return 'https://example.com/runbook'
  if (name === 'recipientOrgId') return ID
  const known = BY_NAME[name]
  const digits = /^\^\[0-9\]\{(\d+)\}\$$/.exec(String(pattern ?? ''))
  if (digits !== null) return '0'.repeat(Number(digits[1]))
  const text = typeof known === 'string' ? known : name === '' ? 'text' : `<${name}>`
  return text.padEnd(Number(minLength), 'x').slice(0, Number(maxLength))
}

function numberExample({ minimum, maximum }: Json, known: unknown): number {
  const wanted = typeof known === 'number' ? known : 1
  return Math.min(Math.max(wanted, Number(minimum ?? wanted)), Number(maximum ?? Number.POSITIVE_INFINITY))
}
