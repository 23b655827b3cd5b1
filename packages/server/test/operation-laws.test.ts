/** What must hold for the list of operations as a whole; a new operation is covered without a new test. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ACTIONS } from '@plumbline/audit-chain'
import { Hono } from 'hono'
import Type, { type TSchema } from 'typebox'
import { beforeAll, expect, it } from 'vitest'
import { heldClock } from '../src/runtime/clock.js'
import { Refusal } from '../src/runtime/errors.js'
import { createHttp, routesOf } from '../src/runtime/http/mount.js'
import { inputReader } from '../src/runtime/http/read-input.js'
import { createIds, UUID } from '../src/runtime/ids.js'
import { ORG_SCOPES, PERMISSIONS, SYSTEM_SCOPES } from '../src/runtime/operation/access.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { describeAccess } from '../src/runtime/operation/describe-access.js'
import { takesDryRun } from '../src/runtime/operation/dry-run.js'
import { exampleOf } from '../src/runtime/operation/example.js'
import { type AnyCommand, type Operation, pathNames } from '../src/runtime/operation/operation.js'
import { codesPage, operationsPage } from '../src/runtime/operation/operations-page.js'
import { permissionTable } from '../src/runtime/operation/permission-table.js'
import { ITEMS, problems } from '../src/runtime/operation/schema.js'
import { standInAuthenticator } from './support/http.js'
import { allOperations } from './support/operations.js'
import { testSettings } from './support/settings.js'

let operations: readonly Operation[]
beforeAll(async () => {
  operations = await allOperations()
})

const spellings = ({ http }: Operation): string[] => [http.path, ...(http.aliases ?? [])]

interface Patterned {
  readonly pattern: string
  readonly 'x-says'?: string
}

function patternsIn(schema: unknown): Patterned[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = typeof (schema as Patterned).pattern === 'string' ? [schema as Patterned] : []
  return [...own, ...Object.values(schema).flatMap(patternsIn)]
}

/** A UUID is told as one by itself. */
const isTold = (each: Patterned): boolean => each.pattern === UUID.source || (each['x-says'] ?? '').length > 8

/** Every schema within a schema. */
function schemasIn(schema: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof schema !== 'object' || schema === null) return []
  return [schema as Readonly<Record<string, unknown>>, ...Object.values(schema).flatMap(schemasIn)]
}

const inputsOf = ({ input }: Operation) => schemasIn([input.path, input.query, input.body])
const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/** Permissions that are scopes of service principals too. */
const SCOPED: ReadonlySet<string> = new Set(
  PERMISSIONS.filter((name) => (ORG_SCOPES as readonly string[]).includes(name)),
)

/** Scopes of parts of the product that this server does not have. */
const ELSEWHERE = ['images:pull', 'images:push']

/** Lists of what has no time of its own: who holds a role is a state. */
const WITHOUT_A_TIME: ReadonlySet<string> = new Set(['compliance.inventory.list', 'compliance.role.list'])

type Properties = Readonly<Record<string, { readonly enum?: readonly string[]; readonly 'x-clamp'?: boolean }>>
const propertiesOf = (schema: unknown): Properties =>
  (schema as { readonly properties?: Properties } | null | undefined)?.properties ?? {}

/** Fields of a body that hold the name of something, or what is shown in place of one. */
const NAMES = /^(name|.+Name|title|label|alias|project|organization)$/
const SPOILING = [
  'a\nb',
  'a\u001bb',
  'a\u200bb',
  'a\u202eb',
  'a\u00adb',
  'a\u2028b',
  'a\u200db',
  'a\u0000b',
  '\nab',
  'ab\n',
]

/** Names that are only looked for, and are not stored. */
const LOOKED_FOR: Readonly<Record<string, string>> = {
  'reporting.dora.simulate/project': 'it is looked for',
  'reporting.dora.simulate/organization': 'it is looked for',
  'reporting.dora.simulate/label': 'it is looked for',
  'compliance.scan.create/filter/name': 'a part of the names that a scan looks at',
  'plugin.plugin.lookup/filter/name': 'a part of the names that are looked for',
}

interface Described {
  readonly type?: string
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly [ITEMS]?: Described
}

/** The names within a schema, by their place. */
function namesIn(schema: Described, at: string): [string, Described][] {
  const inner = [...(schema.anyOf ?? []), ...[schema.items ?? [], schema[ITEMS] ?? []].flat()]
  return [
    ...inner.flatMap((each) => namesIn(each, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, each]): [string, Described][] => [
      ...(NAMES.test(key) && takesText(each) ? [[`${at}/${key}`, each] as [string, Described]] : []),
      ...namesIn(each, `${at}/${key}`),
    ]),
  ]
}

const takesText = ({ type, anyOf = [] }: Described): boolean => type === 'string' || anyOf.some(takesText)

/** Each spoiled name that the schema takes. */
function taken(schema: Described): readonly string[] {
  const key = JSON.stringify(schema)
  const known = TAKEN.get(key)
  if (known !== undefined) return known
  const object = Type.Object({ value: schema as TSchema })
  const found = SPOILING.filter((value) => problems(object, { value }, '').length === 0)
  TAKEN.set(key, found)
  return found
}
const TAKEN = new Map<string, readonly string[]>()

/** The laws, each as the operations that break it. */
const LAWS: Record<string, (all: readonly Operation[]) => string[]> = {
  'every parameter of a path is declared, in every spelling': (all) =>
    all
      .filter((operation) => {
        const declared = Object.keys(operation.input.path?.properties ?? {}).sort()
        return spellings(operation).some((path) => pathNames(path).sort().join() !== declared.join())
      })
      .map(({ name }) => name),
  'the tenant of a path and secret parameters are in the path': (all) =>
    all
      .filter(({ tenant, secretPath = [], http }) =>
        [...(tenant.from === 'path' ? [tenant.name] : []), ...secretPath].some(
          (name) => !pathNames(http.path).includes(name),
        ),
      )
      .map(({ name }) => name),
  'names are unique and of three parts': (all) => {
    const names = all.map(({ name }) => name)
    return names.filter((name, index) => names.indexOf(name) !== index || !/^[a-z0-9-]+(\.[a-z0-9-]+){2}$/.test(name))
  },
  'two operations never share a method and path, whatever the parameters are called': (all) => {
    const seen = new Map<string, string>()
    return all.flatMap((operation) =>
      spellings(operation).flatMap((path) => {
        const key = `${operation.http.method} ${path.replaceAll(/:[A-Za-z]+/g, ':')}`
        const other = seen.get(key)
        seen.set(key, operation.name)
        return other === undefined ? [] : [`${operation.name} and ${other}: ${key}`]
      }),
    )
  },
  'every command declares actions of the catalogue, or says why there are none': (all) =>
    all
      .filter((operation) => {
        if (operation.kind !== 'command') return false
        const { audit } = operation
        return 'none' in audit
          ? audit.none.length < 8
          : audit.length === 0 || !audit.every((name: string) => ACTIONS.has(name))
      })
      .map(({ name }) => name),
  'every schema compiles': (all) =>
    all
      .filter(({ input, output }) => {
        const given = [input.path, input.query, input.body, output].filter(
          (each) => each !== undefined && each !== null,
        )
        try {
          for (const schema of given as TSchema[]) problems(schema, undefined, '')
          return false
        } catch {
          return true
        }
      })
      .map(({ name }) => name),
  'every body refuses unknown keys (`strictObject`)': (all) =>
    all
      // What a monitor sends is the monitor's: it has more keys than anybody reads.
      .filter(({ name }) => !name.startsWith('reporting.incident.receive-'))
      // Names of attributes have any case there: the reader of the protocol refuses what it does not know.
      .filter(({ dialect }) => dialect === undefined)
      .filter(({ input }) => {
        const { type, additionalProperties } = (input.body ?? {}) as { type?: string; additionalProperties?: boolean }
        return type === 'object' && additionalProperties !== false
      })
      .map(({ name }) => name),
  'every pattern is told in words (`x-says`)': (all) =>
    all
      .filter(({ input }) => patternsIn([input.path, input.query, input.body]).some((each) => !isTold(each)))
      .map(({ name }) => name),
  'every list says how long it may be (`maxItems`)': (all) =>
    all
      .filter((each) => inputsOf(each).some(({ type, maxItems }) => type === 'array' && maxItems === undefined))
      .map(({ name }) => name),
  'every text with a format says how long it may be (`maxLength`)': (all) =>
    all
      .filter((each) =>
        inputsOf(each).some(({ format, maxLength }) => typeof format === 'string' && maxLength === undefined),
      )
      .map(({ name }) => name),
  // Without a type the validator compares each item with each other one.
  'items that are to differ are of one scalar type': (all) =>
    all
      .filter((each) =>
        inputsOf(each).some(
          ({ uniqueItems, items }) => uniqueItems === true && !SCALARS.includes((items as { type?: unknown })?.type),
        ),
      )
      .map(({ name }) => name),
  'a scope that is called like a permission opens what the permission alone opens': (all) =>
    all
      .filter(({ access: { doors } }) =>
        doors.some(
          (door) =>
            door.kind === 'permission' &&
            door.permissions.length === 1 &&
            SCOPED.has(door.permissions[0] ?? '') &&
            !doors.some((other) => other.kind === 'scope' && other.scope === door.permissions[0]),
        ),
      )
      .map(({ name }) => name),
  'every list is paged and ordered by the same names, and takes `createdAt` where its items have such a time': (all) =>
    all
      .filter(({ input, output, name }) => {
        // A report is computed as a whole: its order is part of what it says.
        if (!('pagination' in propertiesOf(output)) || name.startsWith('reporting.')) return false
        const { limit, offset, sortBy, sortOrder } = propertiesOf(input.query)
        const orders = [...(sortOrder?.enum ?? [])].sort().join()
        const fields = sortBy?.enum ?? []
        return !(
          limit?.['x-clamp'] === true &&
          offset?.['x-clamp'] === true &&
          orders === 'asc,desc' &&
          (fields.includes('createdAt') || (fields.length > 0 && WITHOUT_A_TIME.has(name)))
        )
      })
      .map(({ name }) => name),

  'a name is one line without control and invisible characters': (all) =>
    all.flatMap(({ name, input }) =>
      namesIn((input.body ?? {}) as Described, name)
        .filter(([at, schema]) => !Object.hasOwn(LOOKED_FOR, at) && taken(schema).length > 0)
        .map(([at]) => at),
    ),
  'step-up and secrets are never cached or public': (all) =>
    all
      .filter(({ access }) => access.stepUp !== false && describeAccess(access).startsWith('anyone'))
      .map(({ name }) => name),
}

it.each(Object.entries(LAWS))('%s', (_law, broken) => {
  expect(broken(operations)).toEqual([])
})

it('each law sees an operation that breaks it', () => {
  const [first] = operations
  if (first === undefined) throw new Error('the server has no operations')
  const bad = {
    ...first,
    kind: 'command',
    name: 'bad',
    http: { method: 'post', path: '/bad/:id' },
    input: {
      body: {
        type: 'object',
        properties: {
          a: { type: 'string', pattern: 'x' },
          b: { type: 'array', uniqueItems: true, items: {} },
          c: { type: 'string', format: 'email' },
          displayName: { type: 'string' },
        },
      },
      path: undefined,
      query: { type: 'nothing' },
    },
    tenant: { from: 'path', name: 'missing' },
    access: {
      doors: [{ kind: 'public' }, { kind: 'permission', mode: 'all', permissions: ['pipelines:read'] }],
      features: [],
      stepUp: 'always',
    },
    audit: [],
    output: { type: 'object', properties: { pagination: {} } },
  } as unknown as Operation
  for (const [law, broken] of Object.entries(LAWS)) expect(broken([bad, bad]), law).not.toEqual([])
})

it('literal paths are reached, never taken for a parameter', () => {
  const app = new Hono({ strict: false })
  for (const [path, byMethod] of routesOf(operations)) {
    for (const [method, operation] of byMethod) app.on(method.toUpperCase(), path, (c) => c.text(operation.name))
  }
  return Promise.all(
    operations.flatMap((operation) =>
      spellings(operation).map(async (path) => {
        // A value that is not a literal of any path.
        const request = path.replaceAll(/:[A-Za-z]+/g, '0-value')
        const response = await app.request(request, { method: operation.http.method.toUpperCase() })
        expect(await response.text(), `${operation.http.method} ${path}`).toBe(operation.name)
      }),
    ),
  )
})

it('what is mounted is what is listed, and the probes of the documents', () => {
  const clock = heldClock(0)
  const app = createHttp({
    runtime: { clock, ids: createIds(clock) } as unknown as Runtime,
    operations,
    authenticator: standInAuthenticator(),
    basePath: '/api',
    onError: () => undefined,
  })
  const mounted = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
  const listed = operations.flatMap((each) =>
    spellings(each).map((path) => `${each.http.method.toUpperCase()} /api${path}`),
  )
  const documents = mounted.filter((route) => /^GET \/api\/(openapi\.json|docs(\/|$))/.test(route))
  expect(mounted.filter((route) => !documents.includes(route)).sort()).toEqual(listed.sort())
  expect(documents.length).toBe(7)
})

it('the permission table in the documentation is current', () => {
  const file = fileURLToPath(new URL('../../../docs/reference/permissions.md', import.meta.url))
  expect(readFileSync(file, 'utf8'), 'run: npm run generate').toBe(permissionTable(operations))
})

it.each([
  ['operations.md', operationsPage],
  ['codes.md', codesPage],
] as const)('%s of the specification is current', (name, written) => {
  const file = fileURLToPath(new URL(`../../../docs/specification/${name}`, import.meta.url))
  expect(readFileSync(file, 'utf8'), 'run: npm run generate').toBe(written(operations))
})

it('no operation takes a text with a NUL, and each says where it is', async () => {
  let fields = 0
  for (const operation of operations) {
    const { input, http } = operation
    if (operation.kind === 'command' && operation.upload !== undefined) continue
    const path = exampleOf((input.path ?? { type: 'object' }) as never) as Record<string, unknown>
    const bodies = input.body === undefined ? [] : spoiled(exampleOf(input.body as never), '/body')
    const queries = Object.entries((input.query?.properties ?? {}) as Record<string, { type?: string }>)
      .filter(([, { type }]) => type === 'string')
      .map(([name]) => ({ at: `/query/${name}`, query: `?${name}=a%00b` }))
    const app = new Hono()
    const read = inputReader(operation, {
      bodyBytesMax: 1_048_576,
      pageMax: 1000,
      runtime: { settings: testSettings() },
    })
    app.on(http.method.toUpperCase(), http.path, async (c) => {
      try {
        await read(c, c.req.raw.headers)
        return c.json([])
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return c.json(error.details?.['issues'])
      }
    })
    const route = http.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(path[name])))
    const valid = input.body === undefined ? undefined : JSON.stringify(exampleOf(input.body as never))
    for (const { at, body, query } of [...bodies, ...queries] as { at: string; body?: unknown; query?: string }[]) {
      const sent = body === undefined ? valid : JSON.stringify(body)
      const answer = await app.request(`${route}${query ?? ''}`, {
        method: http.method.toUpperCase(),
        ...(sent === undefined ? {} : { body: sent, headers: { 'content-type': 'application/json' } }),
      })
      expect(await answer.json(), `${operation.name} ${at}`).toContainEqual(
        expect.objectContaining({ path: at, code: 'nul' }),
      )
      fields += 1
    }
  }
  expect(fields).toBeGreaterThan(300)
})

/** The value as often as it holds texts, each time with a NUL in another one. */
function spoiled(value: unknown, at: string): { at: string; body: unknown }[] {
  if (typeof value === 'string') return [{ at, body: `${value}\0` }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    spoiled(inner, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).map((each) => ({
      at: each.at,
      body: Array.isArray(value)
        ? value.map((element, index) => (String(index) === name ? each.body : element))
        : { ...value, [name]: each.body },
    })),
  )
}

it('every scope opens an operation, and `audit:ingest` is for principals of the system', () => {
  const opened = new Set(
    operations.flatMap(({ access }) => access.doors.flatMap((each) => (each.kind === 'scope' ? [each.scope] : []))),
  )
  expect([...ORG_SCOPES, ...SYSTEM_SCOPES].filter((scope) => !opened.has(scope)).sort()).toEqual([...ELSEWHERE].sort())
  expect(ORG_SCOPES).not.toContain('audit:ingest')
})

it('a dry run is of a command that does everything in its transaction', () => {
  const tried = (operations as readonly AnyCommand[]).filter(takesDryRun)
  expect(tried.length).toBeGreaterThan(0)
  for (const operation of tried) {
    expect([operation.name, operation.kind]).toEqual([operation.name, 'command'])
    const { settle, upload, raw } = operation
    expect([operation.name, settle, raw]).toEqual([operation.name, undefined, undefined])
    // An upload stores its file before the transaction: this one does not in a dry run.
    if (upload !== undefined) expect(operation.name).toBe('plugin.plugin.upload')
  }
})
