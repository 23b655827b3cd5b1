/**
 * Each operation is answered with success at least once: by a request of its own organization that follows from its schemas
 * or, where it needs a state that nothing has by chance, by a call that is written down with that state (`calls.ts`), or by a
 * suite that runs on every database (`suites.ts`).
 *
 * INVARIANT: an operation that neither reaches is named.
 */
import type { App } from '../../src/app.js'
import type { Operation } from '../../src/runtime/operation/operation.js'
import { requestMaker } from '../isolation/isolation.js'
import { send } from '../requests/call.js'
import type { PrincipalKind, ProofPrincipal, World } from '../world/model.js'
import { createRandom, seedOf } from '../world/random.js'
import { CALLS } from './calls.js'
import { createHands } from './hands.js'
import { lackOf, suiteOf } from './suites.js'

export interface ExerciseReport {
  readonly operations: number
  readonly requests: number
  /** Answered only because the call is written down. */
  readonly written: number
  /** Called by a suite that runs on every database. */
  readonly bySuite: number
  readonly failures: readonly string[]
}

/** Who may do most, first. */
export const CALLERS: readonly PrincipalKind[] = ['owner', 'super admin', 'system service', 'service', 'anonymous']
/** Rounds of random requests. Only an operation that none of them reached takes all of them. */
export const TRIES = 12

export async function exercise(world: World, seed: number): Promise<ExerciseReport> {
  const app = world.open()
  const failures: string[] = []
  let [requests, written, bySuite] = [0, 0, 0]
  const known = new Set<string>(app.operations.map(({ name }) => name))
  for (const name of Object.keys(CALLS)) {
    if (!known.has(name)) failures.push(`${name} is written down and is not an operation`)
  }
  try {
    for (const operation of app.operations) {
      const call = CALLS[operation.name]
      const suite = suiteOf(operation)
      if (suite !== null) {
        const lack = lackOf(operation, suite)
        if (lack !== null) failures.push(`${operation.name}: ${lack}`)
        bySuite += 1
        continue
      }
      if (call !== undefined) {
        const answer = await call(createHands(world, app, operation)).catch((error: unknown) => String(error))
        requests += 1
        written += 1
        if (answer !== null) failures.push(`${operation.name}: ${answer}`)
      } else {
        const { isAnswered, tries, last } = await answered(world, app, operation, seedOf(operation.name, seed))
        requests += tries
        if (!isAnswered) failures.push(`${operation.name}: ${last}`)
      }
      await world.reset()
    }
  } finally {
    await app.close()
    await world.reset()
  }
  return { operations: app.operations.length, requests, written, bySuite, failures }
}

/** Tries the operation with what its schemas say, as anyone who may open its door. */
async function answered(world: World, app: App, operation: Operation, seed: number) {
  const random = createRandom(seed)
  const make = requestMaker(world, operation, random, seed, { isOwn: true })
  let [tries, last] = [0, '']
  for (let round = 0; round < TRIES; round++) {
    for (const kind of CALLERS) {
      const principal = world.principals.find((each) => each.kind === kind) as ProofPrincipal
      const { request } = await make(app, principal)
      const answer = await send(app, request)
      tries += 1
      if (answer.status < 300) return { isAnswered: true, tries, last }
      // What says most about why is the answer to anyone who came furthest.
      if (last === '' || (answer.status !== 401 && answer.status !== 403)) {
        last = `${request.method} ${request.target} as ${kind} is answered with ${answer.status} ${answer.text.slice(0, 300)}`
      }
      await world.reset()
    }
  }
  return { isAnswered: false, tries, last }
}
