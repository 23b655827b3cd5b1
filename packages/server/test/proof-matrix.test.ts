/** Every operation against every wrong caller and every malformed request; a new operation is covered by its own schemas. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmation, pathOf, queryOf, send } from '../proof/requests/call.js'
import { type Door, doorOf } from '../proof/requests/door.js'
import { fileFor } from '../proof/requests/files.js'
import { fromSchema, type Schema, type Slot } from '../proof/requests/from-schema.js'
import { judge } from '../proof/requests/judge.js'
import type { Answer, ProofRequest } from '../proof/requests/request.js'
import { kindOf } from '../proof/requests/slots.js'
import type { PrincipalKind, ProofOrganization, ProofPrincipal, World } from '../proof/world/model.js'
import { createRandom } from '../proof/world/random.js'
import { buildWorld } from '../proof/world/world.js'
import type { App } from '../src/app.js'
import { MEMBER_PERMISSIONS } from '../src/identity/permission/bundles.js'
import { ORG_SCOPES } from '../src/runtime/operation/access.js'
import { isPublic } from '../src/runtime/operation/authorize.js'
import { isByHeader, type Operation } from '../src/runtime/operation/operation.js'
import { allOperations } from './support/operations.js'

const OWN = 0
const STRANGER = 1
const operations = await allOperations()

let world: World
let app: App
beforeAll(async () => {
  world = await buildWorld('sqlite')
  app = world.open()
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const organization = (index: number): ProofOrganization => world.organizations[index] as ProofOrganization
const who = (kind: PrincipalKind, home: number | null = OWN): ProofPrincipal => {
  const found = world.principals.find((each) => each.kind === kind && each.home === home)
  if (found === undefined) throw new Error(`no ${kind} of ${home}`)
  return found
}

const isOrgScope = (scope: string): boolean => (ORG_SCOPES as readonly string[]).includes(scope)

/** Somebody whom the operation lets in. */
function allowed({ access }: Operation): ProofPrincipal {
  const isFor = (kind: string) => access.doors.some((door) => door.kind === kind)
  if (isFor('system-admin') && !isFor('owner') && !isFor('permission')) return who('super admin', null)
  if (access.doors.some((door) => door.kind === 'scope' && door.scope === 'scim:provision')) return who('directory')
  if (!isFor('scope') || isFor('member') || isFor('permission')) return who('owner')
  const ofOrganizations = access.doors.some((door) => door.kind === 'scope' && isOrgScope(door.scope))
  return ofOrganizations ? who('service') : who('system service', null)
}

interface Wanted {
  readonly as: ProofPrincipal | null
  /** Whose ids stand in the path, in the query and in the body; whose tenant the request is for. */
  readonly things?: number
  readonly tenant?: number
  readonly change?: (parts: { path: Record<string, unknown>; query: Record<string, unknown>; body: unknown }) => void
}

/** A valid request, but for what is wanted otherwise. */
async function ask(operation: Operation, { as, things = OWN, tenant = OWN, change }: Wanted): Promise<Answer> {
  const slot: Slot = (name, schema) => {
    const kind = kindOf(operation, name, schema)
    if (kind === null) return null
    const from = kind === 'any' ? [] : organization(things).things[kind]
    // The last one: a role, a member or a record that is not the caller itself.
    return () => from.at(-1) ?? '99999999-9999-7999-8999-999999999999'
  }
  const part = (schema: unknown): unknown =>
    schema === undefined ? undefined : fc.sample(fromSchema(schema as Schema, slot), { seed: 7, numRuns: 1 })[0]
  const parts = {
    path: (part(operation.input.path) ?? {}) as Record<string, unknown>,
    query: {} as Record<string, unknown>,
    body: part(operation.input.body),
  }
  if (operation.tenant.from === 'path') parts.path[operation.tenant.name] = organization(tenant).id
  change?.(parts)
  const request: ProofRequest = {
    method: operation.http.method.toUpperCase(),
    target: `${pathOf(operation, parts.path)}${queryOf(parts.query)}`,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
      ...(isByHeader(operation.tenant) ? { 'x-org-id': organization(tenant).id } : {}),
      ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(await confirmation(app, operation, as)),
    },
    body: parts.body === undefined ? undefined : JSON.stringify(parts.body),
    ...(operation.kind === 'command' && operation.upload !== undefined
      ? { file: fileFor(operation, () => organization(things).things.pluginName[0] ?? 'x', createRandom(7)) }
      : {}),
  }
  const answer = await send(app, request)
  expect(judge(operation, request, answer), `${operation.name}: ${answer.text.slice(0, 300)}`).toEqual([])
  if (operation.kind === 'command' && answer.status < 400) await world.reset()
  return answer
}

const codeOf = ({ text }: Answer): string | undefined =>
  text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined
const issuesOf = ({ text }: Answer): { path: string; code: string }[] =>
  (JSON.parse(text) as { details?: { issues?: { path: string; code: string }[] } }).details?.issues ?? []

const named = (all: readonly Operation[]): [string, Operation][] => all.map((operation) => [operation.name, operation])
const closed = operations.filter(({ access }) => !isPublic(access))
const ofTenants = closed.filter(({ tenant }) => tenant.from !== 'none')

it.each(named(closed))('%s: 401 without a credential', async (_name, operation) => {
  const answer = await ask(operation, { as: null })
  expect([answer.status, codeOf(answer)]).toEqual([401, 'TOKEN_MISSING'])
  expect(answer.headers.get('www-authenticate')).toContain('Bearer')
})

describe.each([
  ['a stranger', STRANGER],
  ['a team of another root', 9],
])('the tenant is %s', (_what, tenant) => {
  it.each(named(ofTenants))('%s', async (_name, operation) => {
    const answer = await ask(operation, { as: who('owner'), tenant, things: tenant })
    expect([answer.status, codeOf(answer)]).toEqual(
      operation.tenant.from === 'path' ? [404, 'NOT_FOUND'] : [403, 'ORG_MISMATCH'],
    )
  })
})

it.each(named(ofTenants.filter(({ tenant }) => tenant.from === 'path')))(
  '%s: 403 for a foreign organization in the header beside the path',
  async (_name, operation) => {
    const { id } = organization(OWN)
    const target = pathOf(operation, { ...Object.fromEntries(pathNamesOf(operation).map((name) => [name, id])) })
    const answer = await send(app, {
      method: operation.http.method.toUpperCase(),
      target,
      headers: { authorization: `Bearer ${who('owner').token}`, 'x-org-id': organization(STRANGER).id },
    })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'ORG_MISMATCH'])
  },
)

const pathNamesOf = ({ input }: Operation): string[] => Object.keys(input.path?.properties ?? {})

describe('a caller whom no door lets in', () => {
  const isFor = ({ access }: Operation, ...kinds: string[]) => access.doors.some(({ kind }) => kinds.includes(kind))
  it.each(named(closed.filter((each) => !isFor(each, 'member', 'signed-in', 'account') && !memberHolds(each))))(
    '%s: 403 for a member',
    async (_name, operation) => {
      const answer = await ask(operation, { as: who('member') })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'INSUFFICIENT_PERMISSIONS'])
    },
  )
  it.each(named(closed.filter((each) => !isFor(each, 'scope'))))('%s: 403 for a machine', async (_name, operation) => {
    const answer = await ask(operation, { as: who('service') })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'INSUFFICIENT_PERMISSIONS'])
  })
  it.each(
    named(closed.filter((each) => each.access.doors.every(({ kind }) => kind === 'owner' || kind === 'system-admin'))),
  )('%s: 403 for an administrator', async (_name, operation) => {
    const answer = await ask(operation, { as: who('parent admin') })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'INSUFFICIENT_PERMISSIONS'])
  })

  /** The permissions of the built-in Role Member. */
  function memberHolds({ access }: Operation): boolean {
    const held = new Set<string>(MEMBER_PERMISSIONS)
    return access.doors.some((door) => door.kind === 'permission' && door.permissions.every((name) => held.has(name)))
  }
})

describe('a malformed request', () => {
  // What an upload's fields may be is multipart's to refuse: `upload.test.ts`.
  const inJson = operations.filter((each) => each.kind !== 'command' || each.upload === undefined)
  const withBody = inJson.filter(({ input }) => input.body !== undefined)
  it.each(named(withBody))('%s: 400 for a body of another type', async (_name, operation) => {
    const answer = await ask(operation, {
      as: isPublic(operation.access) ? null : allowed(operation),
      change: (parts) => {
        parts.body = 'a text'
      },
    })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR'])
    expect(issuesOf(answer).every(({ path }) => path.startsWith('/body'))).toBe(true)
  })
  // A monitor sends more than is read of it.
  const closedBody = withBody.filter(({ name }) => !name.startsWith('reporting.incident.receive-'))
  it.each(named(closedBody))('%s: 400 for a key that is not known', async (_name, operation) => {
    const answer = await ask(operation, {
      as: isPublic(operation.access) ? null : allowed(operation),
      change: (parts) => {
        parts.body = { ...(parts.body as object), unheardOf: 1 }
      },
    })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(issuesOf(answer))).toContain('unheardOf')
  })
  const required = inJson.filter(({ input }) => ((input.body as Schema | undefined)?.required ?? []).length > 0)
  it.each(named(required))('%s: 400 that names each required field', async (_name, operation) => {
    const answer = await ask(operation, {
      as: isPublic(operation.access) ? null : allowed(operation),
      change: (parts) => {
        parts.body = {}
      },
    })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR'])
    const missing = issuesOf(answer).filter(({ code }) => code === 'required')
    const wanted = ((operation.input.body as Schema).required ?? []).map((name) => `/body/${name}`)
    expect(missing.map(({ path }) => path).sort()).toEqual([...wanted].sort())
  })
})

describe('ids of another organization', () => {
  const withIds = operations.filter(
    (each) =>
      each.tenant.from === 'path' &&
      pathNamesOf(each).some(
        (name) =>
          each.tenant.from === 'path' &&
          name !== each.tenant.name &&
          name !== 'name' &&
          each.input.path?.properties[name]?.enum === undefined,
      ),
  )
  it.each(named(withIds))('%s: 404', async (_name, operation) => {
    const as = allowed(operation)
    const answer = await ask(operation, {
      as,
      things: STRANGER,
      change({ body }) {
        // A person is named by one of two fields.
        const fields = (body ?? {}) as Record<string, unknown>
        if ('userId' in fields || 'email' in fields) {
          delete fields['email']
          fields['userId'] = organization(STRANGER).things.user[0]
        }
      },
    })
    // Whether somebody is a member is the question, and the answer is no.
    if (operation.name === 'identity.member.probe') {
      expect(JSON.parse(answer.text)).toMatchObject({ data: { isMember: false } })
    } else {
      expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('the door of an organization that enforces its sign-on', () => {
  let door: Door
  beforeAll(async () => {
    door = await doorOf(world, app)
  })
  afterAll(() => world.reset())

  it('is closed to a session without a proof alone, whatever state the provider is in', async () => {
    expect(await door.closed(ofTenants)).toEqual([])
  }, 300_000)

  it('is not passed to another organization by a confined session', async () => {
    expect(await door.passed(ofTenants)).toEqual([])
  }, 120_000)
})
