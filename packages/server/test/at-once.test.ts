/**
 * What is asked four times at once ends as it does in turn: no more of the four succeed, and the audit trail tells of no more.
 * Where a record has a revision, all four name it, and one of them changes or deletes the record.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALLS } from '../proof/exercise/calls.js'
import { CALLERS, TRIES } from '../proof/exercise/exercise.js'
import { createHands, type Sender } from '../proof/exercise/hands.js'
import { Meeting } from '../proof/exercise/meeting.js'
import { MORE_CALLS } from '../proof/exercise/more-calls.js'
import { requestMaker } from '../proof/isolation/isolation.js'
import { confirmation, send } from '../proof/requests/call.js'
import type { Answer, ProofRequest } from '../proof/requests/request.js'
import type { ProofPrincipal, World } from '../proof/world/model.js'
import { createRandom, seedOf } from '../proof/world/random.js'
import { buildWorld } from '../proof/world/world.js'
import type { App } from '../src/app.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import type { Operation } from '../src/runtime/operation/operation.js'
import { postgresMissing } from './support/stores.js'

const TIMES = 4
/** No record was changed as often. */
const NO_REVISION = 999_999_999
const WRITTEN = { ...CALLS, ...MORE_CALLS }

/** Commands without a target here, by the beginning of their names. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  'ai.pipeline.generate': 'asks a provider of models',
  'ai.plugin.generate': 'asks a provider of models',
  'audit.event.ingest': 'a service numbers its events, and each is taken once: `audit/operations.test.ts`',
  'billing.call.': 'of the card provider',
  'billing.clock.fail-payments': 'of the card provider',
  'billing.discount.issue-token': 'seals a token with keys that this server does not have, and writes nothing',
  'billing.notification.': 'of the marketplace',
  'billing.portal.': 'of the card provider',
  'billing.purchase.': 'of the marketplace',
  'billing.reconcile.': 'of the card provider',
  'billing.subscription.override': 'sets what an operator names, as often as it is named',
  'billing.webhook': 'of the card provider',
  'identity.auth.login-link': 'only a demo makes such a link',
  'plugin.builder.': 'a builder alone holds the fence of its build: `plugin/builder/builder.test.ts`',
  'plugin.plugin.deploy-generated': 'needs a draft of a provider of models',
  'plugin.scan.put': 'needs an image in a registry',
  'quota.quota.increment': 'adds up what a service reports',
  'registry.': 'needs a registry',
  'reporting.event.ingest': 'adds up what machines report',
  'reporting.health.': 'adds up what machines report',
  'reporting.incident.receive-': 'adds up what machines report',
  'reporting.retention-sync.': 'sets what a service names, as often as it is named',
  'reporting.webhook.': 'of a forge, which signs it',
  'sso.backchannel-logout.': 'of an identity provider, which signs it',
  'sso.default-provider.test': 'starts a sign-in at an identity provider',
  'sso.domain.verify': 'looks up a record in the DNS',
  'sso.provider.test': 'starts a sign-in at an identity provider',
  'sso.sign-in.': 'of an identity provider',
  'sso.social-invitation.': 'of a social provider',
  'sso.social-link.create': 'of a social provider',
  'sso.social-sign-in.': 'of a social provider',
  'sso.social-step-up.': 'of a social provider',
  'sso.step-up.': 'of an identity provider',
}

/** Commands that compare a revision and leave it as it was. */
const KEEPS_THE_REVISION: Readonly<Record<string, string>> = {
  'message.message.read': 'a message that was read is read',
  'message.thread.read': 'a thread that was read is read',
}

/** Commands that another request leaves nothing to do for, and that are answered as if they had done it. */
const ALIKE: Readonly<Record<string, string>> = {
  'identity.auth.logout': 'who is signed out is signed out',
  'sso.session.end': 'who is signed out is signed out',
}

/** What ends something, and does so once. */
const ENDS =
  /\.(delete|revoke|remove|purge|cancel|close|archive|end|accept|accept-new|decline|approve|reject|review|redeem|claim|unassign|deregister|drop-change)$/
const isEnd = ({ name, http }: Operation): boolean => http.method === 'delete' || ENDS.test(name)

interface Outcome {
  readonly statuses: readonly number[]
  readonly successes: number
  /** What was recorded, as `action target`. */
  readonly recorded: readonly string[]
}
type Manner = 'in turn' | 'at once'

/** The request that the schemas of an operation lead to, and who is answered with success. */
interface Chance {
  readonly request: ProofRequest
  readonly as: ProofPrincipal
}

const withMatch = (request: ProofRequest, revision: number | null): ProofRequest =>
  revision === null ? request : { ...request, headers: { ...request.headers, 'if-match': `"${revision}"` } }

class Asking {
  readonly #world: World
  readonly #app: App
  readonly #meeting: Meeting

  constructor(world: World, app: App) {
    this.#world = world
    this.#app = app
    this.#meeting = new Meeting(app, world.database)
  }

  /** What is wrong with an operation; null for one that nothing reaches. */
  async faultsOf(operation: Operation, seed: number): Promise<string[] | null> {
    const chance = WRITTEN[operation.name] === undefined ? await this.#chanceOf(operation, seed) : undefined
    if (chance === null) return null
    const [inTurn, atOnce] = [
      await this.#outcomeOf(operation, chance, 'in turn'),
      await this.#outcomeOf(operation, chance, 'at once'),
    ]
    const faults = compared(operation, inTurn as Outcome, atOnce as Outcome)
    const matched = await this.#outcomeOf(operation, chance, 'at once', true)
    if (matched !== null && matched.successes !== 1 && !Object.hasOwn(KEEPS_THE_REVISION, operation.name))
      faults.push(`four with one revision are answered with ${matched.statuses}`)
    return faults.map((each) => `${operation.name}: ${each}`)
  }

  /** A request that changes something, where there is one: four that change nothing all succeed. */
  async #chanceOf(operation: Operation, seed: number): Promise<Chance | null> {
    if (reasonOf(operation) !== undefined) return null
    let silent: Chance | null = null
    const random = createRandom(seed)
    const make = requestMaker(this.#world, operation, random, seed, { isOwn: true })
    for (let round = 0; round < TRIES; round++) {
      for (const kind of CALLERS) {
        const as = this.#world.principals.find((each) => each.kind === kind) as ProofPrincipal
        const { request } = await make(this.#app, as)
        const before = (await this.#events()).length
        const { status } = await send(this.#app, request)
        const isRecorded = (await this.#events()).length > before
        await this.#world.reset()
        if (status >= 300) continue
        if (isRecorded || !isAudited(operation)) return { request, as }
        silent ??= { request, as }
      }
    }
    return silent
  }

  /** @returns null for a conditional request to what has no revision. */
  async #outcomeOf(
    operation: Operation,
    chance: Chance | undefined,
    manner: Manner,
    isConditional = false,
  ): Promise<Outcome | null> {
    let outcome: Outcome | null = null
    const four: Sender = async (make) => {
      const revision = isConditional ? await this.#revisionOf(await make()) : null
      if (isConditional && revision === null) return { status: 412, headers: new Headers(), text: '{"data":{}}' }
      const requests: ProofRequest[] = []
      for (let n = 0; n < TIMES; n++) requests.push(withMatch(await make(), revision))
      const before = new Set((await this.#events()).map(({ id }) => id))
      const answers = await this.#answers(requests, manner)
      const events = (await this.#events()).filter(({ id }) => !before.has(id))
      outcome = {
        statuses: answers.map(({ status }) => status).sort(),
        successes: answers.filter(({ status }) => status < 300).length,
        recorded: events.map(({ action, targetId }) => `${action} ${targetId}`).sort(),
      }
      return answers.find(({ status }) => status < 300) ?? (answers[0] as Answer)
    }
    const { clock } = this.#app.runtime
    const startMs = clock.now()
    try {
      if (chance === undefined) {
        await WRITTEN[operation.name]?.(createHands(this.#world, this.#app, operation, four))
      } else {
        const { request, as } = chance
        await four(async () => {
          const headers = { ...request.headers, ...(await confirmation(this.#app, operation, as)) }
          return { ...request, headers }
        })
      }
    } finally {
      // Tokens would expire.
      this.#world.later(startMs - clock.now())
      await this.#world.reset()
    }
    return outcome
  }

  /** The revision that the target has; null where it has none. */
  async #revisionOf(request: ProofRequest): Promise<number | null> {
    const { status, text } = await send(this.#app, withMatch(request, NO_REVISION))
    const revision: unknown = status === 412 ? JSON.parse(text).details?.revision : undefined
    return typeof revision === 'number' ? revision : null
  }

  async #answers(requests: readonly ProofRequest[], manner: Manner): Promise<Answer[]> {
    if (manner === 'at once') return this.#meeting.of(requests.map((request) => () => send(this.#app, request)))
    const answers: Answer[] = []
    for (const request of requests) answers.push(await send(this.#app, request))
    return answers
  }

  async #events(): Promise<{ readonly id: string; readonly action: string; readonly targetId: string }[]> {
    const rows = await this.#app.runtime.store.system.read((db) => db.select().from(jobTables(db).auditOutbox))
    return rows.map(({ event }) => event as never)
  }
}

function compared(operation: Operation, inTurn: Outcome, atOnce: Outcome): string[] {
  const faults: string[] = []
  if (inTurn.successes === 0) return [`nothing of it succeeds: ${inTurn.statuses}`]
  const changed = inTurn.recorded.length > 0 || inTurn.successes === 1
  if (isEnd(operation) && !changed) faults.push('the call ends nothing, and proves nothing')
  if (isEnd(operation) && new Set(inTurn.recorded).size < inTurn.recorded.length)
    faults.push(`in turn it is recorded more than once: ${inTurn.recorded}`)
  const most = Object.hasOwn(ALIKE, operation.name) ? TIMES : inTurn.successes
  if (atOnce.successes === 0 || atOnce.successes > most || atOnce.statuses.some((status) => status >= 500))
    faults.push(`in turn it is answered with ${inTurn.statuses}, at once with ${atOnce.statuses}`)
  const [expected, found] = [actions(inTurn), actions(atOnce)]
  for (const [action, times] of found) {
    const before = expected.get(action) ?? 0
    if (times > before) faults.push(`in turn ${action} is recorded ${before} times, at once ${times} times`)
  }
  return faults
}

function actions({ recorded }: Outcome): Map<string, number> {
  const found = new Map<string, number>()
  for (const each of recorded) {
    const action = each.split(' ')[0] as string
    found.set(action, (found.get(action) ?? 0) + 1)
  }
  return found
}

const isAudited = (operation: Operation): boolean => operation.kind === 'command' && Array.isArray(operation.audit)

const reasonOf = ({ name }: Operation) => Object.keys(NOT_ASKED).find((start) => name.startsWith(start))

describe.each([
  { engine: 'sqlite' as const, reason: null },
  { engine: 'postgres' as const, reason: await postgresMissing() },
])('four requests at once on $engine', ({ engine, reason }) => {
  describe.skipIf(reason !== null)(reason ?? 'of each command', () => {
    let world: World
    beforeAll(async () => {
      world = await buildWorld(engine)
    })
    afterAll(() => world?.close())

    it('succeed and are recorded no more often than in turn', { timeout: 600_000 }, async () => {
      const app = world.open()
      const asking = new Asking(world, app)
      const faults: string[] = []
      const unused = new Set(Object.keys(NOT_ASKED))
      for (const operation of app.operations) {
        if (operation.kind !== 'command') continue
        const found = await asking.faultsOf(operation, seedOf(operation.name, 131))
        const reason = reasonOf(operation)
        if (found !== null) faults.push(...found)
        else if (reason === undefined) faults.push(`${operation.name}: give it a call in proof/exercise/more-calls.ts`)
        else unused.delete(reason)
      }
      await app.close()
      expect(faults).toEqual([])
      expect([...unused], 'has a target now: take it out of NOT_ASKED').toEqual([])
    })
  })
})
