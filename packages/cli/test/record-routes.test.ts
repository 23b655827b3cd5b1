/** The tables of records agree with the server: every route, parameter and field in them is in the OpenAPI document. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '@plumbline/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiFacts } from '../scripts/api-facts.js'
import { API_FACTS, VOCABULARY } from '../src/api-facts.js'
import { kinds } from '../src/records/apply/kinds.js'
import { recordActions, requestsOf, resources } from '../src/records/commands.js'
import { sentAs } from '../src/records/described.js'
import type { Action } from '../src/records/resource.js'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

let folder = ''
let server: RunningServer
let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-routes-'))
  const environment = { DATA_DIR: folder, PORT: '0', PLUMBLINE_DEMO: 'false', NODE_ENV: 'test', LOG_LEVEL: 'silent' }
  server = await startServer({ environment, print: () => {} })
  const document = await (await fetch(`${server.url}/api/openapi.json`)).json()
  paths = expanded(document as Parameters<typeof expanded>[0]).paths
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The document with every schema reference replaced by its schema. */
function expanded(document: { paths: typeof paths; components: { schemas: Record<string, Schema> } }) {
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: unknown }
    const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined
    if (name !== undefined) return expand(document.components.schemas[name])
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expand(each)]))
  }
  return { paths: expand(document.paths) as typeof paths }
}

const named = resources.flatMap((resource) =>
  recordActions(resource)
    .flatMap(requestsOf)
    .map((action) => [`${resource.name} ${action.name}`, action] as const),
)

const names = (schema: Schema | undefined): string[] => Object.keys(schema?.properties ?? {})
const bodyOf = (operation: Operation | undefined): Schema | undefined =>
  Object.values(operation?.requestBody?.content ?? {})[0]?.schema

function dataOf(operation: Operation | undefined): Schema | undefined {
  const answer = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
  return answer?.content?.['application/json']?.schema.properties?.data
}

const operationOf = ({ method, path }: Action): Operation | undefined => paths[path]?.[method.toLowerCase()]

const ALL = '`-all` is what `bulk` is on the wire'
const BUILDS = 'the queue and its dead letters hold builds'
const PARTS = 'the preferences are changed part by part'
const SUBSCRIBES = 'a subscription is made by subscribing'
const SWITCHES = 'on and off are one operation'

/** Commands that use other words than their operation, and why. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'billing change': 'what is changed is the plan; `update` would be about the command line',
  'billing drop-discount': 'a discount is dropped by who holds it, and revoked by who made it',
  'billing portal': 'the portal is what opens; `create` would be about the session',
  'billing redeem-preview': 'what is previewed is redeeming',
  'billing show': 'the subscription is what billing is about, and has no id to get it by',
  'billing subscribe': SUBSCRIBES,
  'exemptions approve': 'a decision is one operation with two answers',
  'exemptions reject': 'a decision is one operation with two answers',
  'exemptions request-all': ALL,
  'images delete-all': 'one image is deleted by its reference',
  'images gc': 'registries call it gc',
  'images inspect': 'tools of images call it inspect',
  'images show-blob': 'a blob is none of the records that `get` is for',
  'messages read-all': ALL,
  'reports build-duration': 'builds are those of plugins',
  'reports build-failures': 'builds are those of plugins',
  'reports builds': 'builds are those of plugins',
  'reports link': 'the person links an incident; the operation sets its link',
  'reports runs': 'an execution is a run to people',
  'reports set': 'as of notifications: settings are set',
  'reports unlink': 'the reverse of link',
  'reports unmark': 'the reverse of mark',
  'reports what-if': 'it is the question that people ask',
  'notifications deliveries': 'the log is of deliveries',
  'notifications remove-webhook': PARTS,
  'notifications set': PARTS,
  'notifications set-webhook': PARTS,
  'notifications webhook': PARTS,
  'pipelines deployments': 'the registry is of deployments',
  'plugins builders': 'the status of the queue lists the builders',
  'plugins dead-builds': BUILDS,
  'plugins failed-builds': BUILDS,
  'plugins purge-builds': BUILDS,
  'plugins replay-build': BUILDS,
  'plugins versions': 'the list of plugins with one name is that of its versions',
  'policies members': 'the members are shown with the policy',
  'rules now': 'the list is of findings as they stand now; `list` is of rules',
  'quotas set': 'several limits are set at once, from pairs',
  'quotas type': 'the status is that of one type',
  'scans results': 'the checks of a scan are its results',
  'schedules disable': SWITCHES,
  'schedules enable': SWITCHES,
  'subscriptions deactivate': SWITCHES,
  'subscriptions set': SWITCHES,
  'subscriptions subscribe': SUBSCRIBES,
  'subscriptions unsubscribe': SUBSCRIBES,
}

/**
 * Whether a command uses the words of its operation: `next-invoice` for `billing.invoice.get-next`. A command that only
 * reads may leave `get` and `list` out.
 */
function saysTheSame({ name, method }: Action, operationId: string): boolean {
  const wordsOf = (text: string): string[] =>
    text.split(/[.-]/).map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''))
  const [said, known] = [wordsOf(name), wordsOf(operationId)]
  const verb = wordsOf(operationId.slice(operationId.lastIndexOf('.') + 1))[0] ?? ''
  return said.every((word) => known.includes(word)) && (method === 'GET' || said.includes(verb) || verb === 'run')
}

it('the facts of the API are current', async () => {
  expect({ VOCABULARY, API_FACTS }, 'run: npm run generate').toEqual(await apiFacts())
})

it('has the words of its operation, or a reason for others', () => {
  const other = named.filter(([, action]) => {
    const operation = operationOf(action)
    return operation !== undefined && !saysTheSame(action, operation.operationId)
  })
  expect(other.map(([name]) => name).sort()).toEqual(Object.keys(OTHER_WORDS).sort())
})

describe.each(named)('plumbline %s', (_, action) => {
  it('is a route of the server, with these parameters and fields', () => {
    // The command line itself fills in the id of the current record.
    const optional =
      action.current === undefined && action.arguments?.some(({ syntax }) => syntax.startsWith('[')) === true
    for (const path of optional ? [action.path, action.path.replace(/\/\{\w+\}$/, '')] : [action.path]) {
      expect(paths[path]?.[action.method.toLowerCase()], `${action.method} ${path}`).toBeDefined()
    }
    const operation = operationOf(action)
    const parameters = (operation?.parameters ?? []).filter((each) => each.in === 'query')
    for (const flag of action.query ?? []) {
      const parameter = parameters.find(({ name }) => name === sentAs(flag))
      // Labels have no parameter with a fixed name.
      if (flag.isPairs !== true) expect(parameter, `query ${sentAs(flag)}`).toBeDefined()
    }
    const body = bodyOf(operation)
    if (body?.additionalProperties === false) {
      for (const flag of action.body ?? []) expect(names(body)).toContain(sentAs(flag))
    }
  })

  it('shows what the answer has', () => {
    const { shows } = action
    const data = dataOf(operationOf(action))
    if (shows.as === 'list' || shows.as === 'rows') {
      const path = shows.key.split('.')
      const key = path.at(-1) ?? ''
      const holder = path.slice(0, -1).reduce<Schema | undefined>((schema, name) => schema?.properties?.[name], data)
      expect(names(holder)).toContain(key)
      const item = holder?.properties?.[key]?.items
      if (item?.properties !== undefined) {
        for (const path of Object.values(shows.columns)) expect(names(item), path).toContain(path.split('.')[0])
      }
    }
    if (shows.as === 'record' && shows.key !== undefined) expect(names(data)).toContain(shows.key)
  })
})

describe.each(kinds.map((kind) => [kind.name, kind] as const))('a document of the kind %s', (_, kind) => {
  it('may say exactly what an update and a create take', () => {
    const { resource, fields, createOnly = [], updateOnly = [], alongside = [] } = kind
    const update = names(bodyOf(paths[`${resource.path}/{id}`]?.put))
    const taken = update.filter((field) => !kind.serverOwned.includes(field) && !resource.key.fields.includes(field))
    expect([...fields, ...alongside].sort()).toEqual(taken.sort())
    const create = names(bodyOf(paths[kind.createPath]?.post))
    const all = [...resource.key.fields, ...fields, ...createOnly].filter((field) => !updateOnly.includes(field))
    if (kind.archive !== undefined) {
      // The other fields are in the archive. `isDefault` has another name there.
      const beside = create.filter((field) => field !== 'plugin' && field !== 'setDefault')
      expect(beside.filter((field) => !all.includes(field))).toEqual([])
      return
    }
    expect(all.sort()).toEqual(create.sort())
  })

  it('ignores what the server sets of a record', () => {
    const record = names(dataOf(paths[`${kind.resource.path}/{id}`]?.get)?.properties?.[kind.resource.one])
    const known = [...kind.resource.key.fields, ...kind.fields, ...(kind.createOnly ?? []), ...kind.serverOwned]
    expect(record.filter((field) => !known.includes(field))).toEqual([])
  })
})
