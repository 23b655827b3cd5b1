/** Many questions to the token service beside the oracle, some of them before and after a change of the world. */
import type { Random } from '../world/random.js'
import { ask, difference } from './ask.js'
import { someChange } from './changes.js'
import type { Credential } from './model.js'
import { oneName, someScopes } from './scopes.js'
import type { World } from './world.js'

/** The share of the cases that begin with a change. */
const CHANGES_SHARE = 0.06
const FAILURES_MAX = 10

export interface Tried {
  readonly cases: number
  readonly granted: number
  readonly refused: number
  /** How often each change was made, and how often it took something. */
  readonly changes: ReadonlyMap<string, number>
  readonly taken: number
  readonly failures: readonly string[]
}

export async function proveTokens(world: World, random: Random, cases: number): Promise<Tried> {
  const places = { organizations: [...world.organizations.values()], strangerId: crypto.randomUUID() }
  const failures: string[] = []
  const changes = new Map<string, number>()
  const count = { cases: 0, granted: 0, refused: 0, taken: 0 }
  async function one(credential: Credential, scopes: readonly string[], when: string): Promise<readonly string[]> {
    const answer = await ask(world, random, credential, scopes)
    const told = difference(world, credential, scopes, answer)
    if (told !== null) failures.push(`${when}${told}`)
    count.cases += 1
    if (answer.status === 401) count.refused += 1
    else if (answer.access.length > 0) count.granted += 1
    return answer.access
  }
  while (count.cases < cases && failures.length < FAILURES_MAX) {
    const change = random.next() < CHANGES_SHARE ? await someChange(world, random) : null
    if (change === null) {
      const credential = random.pick(world.credentials)
      await one(credential, someScopes(random, credential, places), '')
      continue
    }
    const { credential, what } = change
    const scopes = [
      `repository:${oneName(random, credential, places)}:pull,push`,
      ...someScopes(random, credential, places),
    ]
    const before = await one(credential, scopes, `before “${what}”: `)
    await change.run()
    changes.set(what, (changes.get(what) ?? 0) + 1)
    const after = await one(credential, scopes, `after “${what}”: `)
    if (before.some((line) => !after.includes(line))) count.taken += 1
    await change.undo?.()
    forget(world, random)
  }
  return { ...count, changes, failures }
}

const ENDED_MAX = 30

/** Credentials that ended stay few beside the good ones. */
function forget(world: World, random: Random): void {
  const ended = world.credentials.filter(
    (each) =>
      (each.kind === 'personal token' && (each.isRevoked || each.expiresAtMs <= world.nowMs)) ||
      (each.kind === 'service' && each.isDeleted),
  )
  while (ended.length > ENDED_MAX) {
    const [gone] = ended.splice(random.below(ended.length), 1)
    if (gone !== undefined) world.credentials.splice(world.credentials.indexOf(gone), 1)
  }
}
