/** The content of `src/api-facts.ts`: of each request of the command line what the API's description says. */
import { openapi } from '../../server/src/runtime/operation/openapi.js'
import { allOperations } from '../../server/test/support/operations.js'
import type { ApiFacts } from '../src/api-facts.js'
import { tableActions } from '../src/records/commands.js'
import { sentAs, takesValue } from '../src/records/described.js'
import type { Action, Flag } from '../src/records/resource.js'

interface Schema {
  readonly $ref?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly schema?: Schema
}
interface Described {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Facts {
  readonly VOCABULARY: Readonly<Record<keyof typeof WORDS, readonly string[]>>
  readonly API_FACTS: Readonly<Record<string, ApiFacts>>
}

/** What `src/api-facts.ts` holds. */
export async function apiFacts(): Promise<Facts> {
  const document = openapi(await allOperations(), { version: '1', basePath: '/api' }) as unknown as Document
  const actions = tableActions()
  const requests = [...new Set(actions.map(requestOf))].sort()
  const facts = requests.map(
    (request) =>
      [
        request,
        factsOf(
          document,
          actions.filter((each) => requestOf(each) === request),
        ),
      ] as const,
  )
  const words = Object.entries(WORDS).map(([name, [method, path, field]]) => [
    name,
    wordsOf(document, method, path, field),
  ])
  return {
    VOCABULARY: Object.fromEntries(words),
    API_FACTS: Object.fromEntries(facts.filter(([, found]) => Object.keys(found).length > 0)),
  }
}

/** A parameter or a field that takes the words. */
const WORDS = {
  target: ['post', '/compliance/rules', 'target'],
  severity: ['post', '/compliance/rules', 'severity'],
  result: ['get', '/compliance/audit', 'result'],
  occasion: ['get', '/compliance/audit', 'action'],
  access: ['get', '/pipelines', 'accessModifier'],
  lifecycle: ['get', '/pipelines', 'lifecycle'],
  criticality: ['get', '/pipelines', 'criticality'],
  tier: ['put', '/quotas/{orgId}', 'tier'],
  plan: ['post', '/billing/subscriptions', 'planId'],
  interval: ['post', '/billing/subscriptions', 'interval'],
} as const

/** @throws Error where the API takes no such words there. */
function wordsOf(document: Document, method: string, path: string, field: string): readonly string[] {
  const { parameters = [], requestBody } = document.paths[path]?.[method] ?? {}
  const body = resolved(document, Object.values(requestBody?.content ?? {})[0]?.schema)?.properties
  const words = valuesOf(document, body?.[field] ?? parameters.find(({ name }) => name === field)?.schema)
  if (words.length === 0) throw new Error(`${method} ${path} has no words for ${field}`)
  return words
}

const requestOf = ({ method, path }: Action): string => `${method} ${path}`

/** @throws Error for a request that the API does not have. */
function factsOf(document: Document, actions: readonly Action[]): ApiFacts {
  const [{ method, path } = { method: 'GET', path: '' }] = actions
  const described = document.paths[path]?.[method.toLowerCase()]
  if (described === undefined) throw new Error(`the API has no ${method} ${path}`)
  const { parameters = [], requestBody } = described
  const query = new Map(
    parameters.flatMap(({ name, in: where, schema }) => (where === 'query' ? [[name, schema]] : [])),
  )
  const body = resolved(document, Object.values(requestBody?.content ?? {})[0]?.schema)?.properties ?? {}
  const choices = {
    ...choicesOf(
      document,
      actions.flatMap((each) => each.query ?? []),
      (name) => query.get(name),
    ),
    ...choicesOf(
      document,
      actions.flatMap((each) => each.body ?? []),
      (name) => body[name],
    ),
    ...(actions.some(({ shows }) => shows.as === 'list')
      ? named('sortBy', valuesOf(document, query.get('sortBy')))
      : {}),
  }
  const isIdempotent = parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey')
  return { ...(Object.keys(choices).length === 0 ? {} : { choices }), ...(isIdempotent ? { isIdempotent } : {}) }
}

function choicesOf(document: Document, flags: readonly Flag[], schemaOf: (name: string) => Schema | undefined): object {
  const found = flags
    .filter((flag) => takesValue(flag) && flag.choices === undefined)
    .map((flag) => named(sentAs(flag), valuesOf(document, schemaOf(sentAs(flag)))))
  return Object.assign({}, ...found)
}

const named = (name: string, values: readonly string[]): object => (values.length === 0 ? {} : { [name]: values })

const resolved = (document: Document, schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)]

/** Of an enumeration, of a boolean, or of a choice between such; null stands for no value. */
function valuesOf(document: Document, given: Schema | undefined): readonly string[] {
  const schema = resolved(document, given)
  const { anyOf, type, enum: values } = schema ?? {}
  if (anyOf !== undefined) {
    const parts = anyOf.filter((part) => part.type !== 'null').map((part) => valuesOf(document, part))
    // A part that takes any text leaves nothing to choose from.
    return parts.every((part) => part.length > 0) ? [...new Set(parts.flat())] : []
  }
  if (type === 'boolean') return ['true', 'false']
  return (values ?? []).filter((value) => typeof value === 'string')
}
