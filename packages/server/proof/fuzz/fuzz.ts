/**
 * Sends generated requests to every operation: valid, nearly valid and hostile ones, by callers of every kind. Nothing
 * may crash, answer what is not declared, or reach the prototype of all objects.
 */
import fc from 'fast-check'
import type { App } from '../../src/app.js'
import { isByHeader, type Operation } from '../../src/runtime/operation/operation.js'
import { confirmation, credential, headerText, pathOf, queryOf, send } from '../requests/call.js'
import { type FormFile, fileFor, spoiltFile } from '../requests/files.js'
import { fromSchema, type Schema, type Slot } from '../requests/from-schema.js'
import { HOSTILE_BODIES, hostileText, hostileValue } from '../requests/hostile.js'
import { judge } from '../requests/judge.js'
import type { ProofRequest } from '../requests/request.js'
import { kindOf } from '../requests/slots.js'
import type { Kind, ProofPrincipal, World } from '../world/model.js'
import { createRandom, type Random } from '../world/random.js'

export interface FuzzReport {
  readonly requests: number
  readonly operations: number
  /** How many got which status. */
  readonly statuses: Readonly<Record<number, number>>
  readonly failures: readonly string[]
}

const FAILURES_MAX = 40
/** Broken encodings, which no encoder makes. */
const RAW = ['%', '%zz', '%c0%af', '%ff%fe', '%ed%a0%80', '%00', '%2e%2e%2f', '+', '%5B%5D']

/** Which of the operations: every `parts`th, from the `part`th on. */
export interface Share {
  readonly part: number
  readonly parts: number
}

export async function fuzz(
  world: World,
  perOperation: number,
  seed: number,
  { part, parts }: Share = { part: 1, parts: 1 },
): Promise<FuzzReport> {
  const app = world.open()
  const failures: string[] = []
  const statuses: Record<number, number> = {}
  let requests = 0
  let operations = 0
  const prototype = Object.getOwnPropertyNames(Object.prototype).sort().join()
  try {
    for (const [at, operation] of app.operations.entries()) {
      if (at % parts !== part - 1) continue
      operations += 1
      const random = createRandom(seed * 1000 + at)
      const make = requestMaker(world, operation, random, seed * 1000 + at)
      for (let n = 0; n < perOperation && failures.length < FAILURES_MAX; n++) {
        const principal = random.next() < 0.05 ? null : strongFor(world, operation, random)
        const { request, isRouted } = await make(app, principal)
        world.takeLog()
        const answer = await send(app, request)
        requests += 1
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        const found = judge(operation, request, answer, isRouted)
        if (Object.getOwnPropertyNames(Object.prototype).sort().join() !== prototype || 'polluted' in {}) {
          found.push('Object.prototype was changed')
        }
        if (found.length > 0) {
          failures.push(
            `${operation.name} #${n}: ${found.join('; ')}\n  ${describe(request)}\n  ${answer.text.slice(0, 300)}\n  ${world.takeLog().slice(0, 600)}`,
          )
        }
        if (answer.status < 300 && operation.kind === 'command') await world.reset()
      }
    }
  } finally {
    await app.close()
    await world.reset()
  }
  return { requests, operations, statuses, failures }
}

const describe = ({ method, target, headers, body }: ProofRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify({ ...headers, authorization: undefined }).slice(0, 200)} ${(body ?? '').slice(0, 300)}`

/** Mostly somebody who passes the doors, so that the body is reached. */
function strongFor({ principals }: World, { access }: Operation, random: Random): ProofPrincipal {
  if (random.next() < 0.2) return random.pick(principals)
  const wanted = access.doors.some((door) => door.kind === 'scope' && door.scope === 'scim:provision')
    ? ['directory']
    : access.doors.some(({ kind }) => kind === 'scope')
      ? ['system service', 'super admin']
      : access.doors.some(({ kind }) => kind === 'system-admin')
        ? ['super admin', 'owner']
        : ['owner', 'parent admin', 'super admin']
  const kind = random.pick(wanted)
  return random.pick(principals.filter((each) => each.kind === kind))
}

type Maker = (app: App, principal: ProofPrincipal | null) => Promise<{ request: ProofRequest; isRouted: boolean }>

/** What is put into a header at random. */
const HEADERS = [
  'x-org-id',
  'if-match',
  'idempotency-key',
  'x-step-up-token',
  'content-type',
  'x-request-id',
  'traceparent',
  'last-event-id',
  'if-none-match',
] as const

/** Names of things of the organization that is at home. */
const slotOf =
  (world: World, operation: Operation, random: Random, home: () => number): Slot =>
  (name, schema) => {
    const kind = kindOf(operation, name, schema)
    if (kind === null) return null
    return () => {
      const { things } = world.organizations[home()] ?? { things: {} as Record<Kind, string[]> }
      const from = kind === 'any' ? Object.values(things).flat() : (things[kind] ?? [])
      return from.length === 0 ? 'x' : random.pick(from)
    }
  }

type Sample = <T>(arbitrary: fc.Arbitrary<T>) => T

/** One of the values, or one more, becomes hostile. */
const spoilerOf =
  (sample: Sample, random: Random) =>
  (values: Record<string, unknown>, isText: boolean): Record<string, unknown> => {
    const names = Object.keys(values)
    const value = isText ? sample(hostileText) : sample(hostileValue)
    if (names.length > 0 && random.next() < 0.8) return { ...values, [random.pick(names)]: value }
    const name = random.pick(['extra', 'constructor', 'toString', 'a.b', 'a[]', sample(hostileText)])
    return { ...values, [name]: value }
  }

function requestMaker(world: World, operation: Operation, random: Random, seed: number): Maker {
  let home = 0
  const slot = slotOf(world, operation, random, () => home)
  const part = (schema: unknown) => (schema === undefined ? null : fromSchema(schema as Schema, slot))
  const parts = {
    path: part(operation.input.path),
    query: part(operation.input.query),
    body: part(operation.input.body),
  }
  let count = 0
  const sample: Sample = (arbitrary) => {
    count += 1
    const [value] = fc.sample(arbitrary, { seed: seed * 4099 + count, numRuns: 1 })
    return value as never
  }
  const spoil = spoilerOf(sample, random)

  return async (app, principal) => {
    home = principal?.home ?? random.below(world.organizations.length)
    const manner = random.pick(['valid', 'valid', 'near', 'near', 'near', 'hostile'] as const)
    let path = (parts.path === null ? {} : sample(parts.path)) as Record<string, unknown>
    let query = (parts.query === null ? {} : sample(parts.query)) as Record<string, unknown>
    let body: unknown = parts.body === null ? undefined : sample(parts.body)
    const headers: Record<string, string> = {
      ...credential(principal),
      ...(await confirmation(app, operation, principal)),
    }
    if (isByHeader(operation.tenant)) headers['x-org-id'] = world.organizations[home]?.id ?? ''
    let isRouted = true
    let text = body === undefined ? undefined : JSON.stringify(body)
    let tail = ''
    if (manner !== 'valid') {
      const where = random.pick(['path', 'query', 'body', 'body', 'headers', 'raw'] as const)
      if (where === 'path' && Object.keys(path).length > 0) {
        const name = random.pick(Object.keys(path))
        // A segment that is another path's literal leads elsewhere.
        path = { ...path, [name]: sample(hostileText) }
        isRouted = false
      }
      if (where === 'query') query = spoil(query, true)
      if (where === 'raw')
        tail = `${random.pick(['x', 'limit', '__proto__', ...Object.keys(query)])}=${random.pick(RAW)}`
      if (where === 'body' && body !== undefined) {
        body =
          typeof body === 'object' && body !== null
            ? spoil(body as Record<string, unknown>, false)
            : sample(hostileValue)
        text = JSON.stringify(body)
      }
      if (where === 'headers') {
        headers[random.pick(HEADERS)] = headerText(sample(hostileText))
      }
      if (manner === 'hostile' && operation.http.method !== 'get') text = random.pick(HOSTILE_BODIES)
    }
    if (text !== undefined && headers['content-type'] === undefined) headers['content-type'] = 'application/json'
    // Nor is an empty segment this operation's path: `/things/` is the list of things.
    for (const name in path) if (path[name] === '') path[name] = 'x'
    const asked = queryOf(query)
    const target = `${pathOf(operation, path)}${asked}${tail === '' ? '' : `${asked === '' ? '?' : '&'}${tail}`}`
    let file: FormFile | undefined
    if (operation.kind === 'command' && operation.upload !== undefined && manner !== 'hostile') {
      file = fileFor(operation, () => random.pick(world.organizations[home]?.things.pluginName ?? []), random)
      if (manner === 'near' && random.next() < 0.7) file = spoiltFile(file, random)
    }
    return {
      request: { method: operation.http.method.toUpperCase(), target, headers, body: text, file },
      isRouted,
    }
  }
}
