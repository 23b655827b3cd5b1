/**
 * Every flow of sign-on over three replicas and a real provider. Each step goes to another replica than the one before. What is
 * good once is asked of two replicas in the same moment, and one of them accepts it. Each round plays flows with people whom
 * nobody knows yet:
 *
 * - In each round a replica is killed and started again between two steps of every flow: the one that served the step before. The
 *   flows of a round share the kill. The next step goes to another replica while this one is down, or to this one when it is
 *   back. Each round interrupts others, until each two steps were interrupted in both ways.
 * - In the last round nothing is killed.
 *
 * At the end of a flow each step that is good once is asked again, of every replica, and every replica is asked for what the flow
 * promises.
 */
import type { Answer } from '../../test/support/sign-in.js'
import type { Flow, Run, Step } from './flow.js'
import { DIRECTORY_FLOWS } from './flow-directory.js'
import { PROVIDER_FLOWS } from './flow-provider.js'
import { SOCIAL_FLOWS } from './flow-social.js'
import { openStage, REPLICAS, type Stage } from './flow-stage.js'

const FLOWS: readonly Flow[] = [...PROVIDER_FLOWS, ...SOCIAL_FLOWS, ...DIRECTORY_FLOWS]

interface FlowsReport {
  readonly rounds: number
  /** How many flows were played, and how many kills stood between two of their steps. */
  readonly played: number
  readonly interrupted: number
  readonly failures: readonly string[]
}

interface Kill {
  /** How many steps are done before it. */
  readonly after: number
  /** Whether the next step waits for the replica that was killed, and goes to it. */
  readonly isBack: boolean
}

/** A flow in a round. */
class Playing {
  #done = 0
  #hasFailed = false
  readonly kill: Kill | null
  readonly #round: number
  /** The replica of the next step. */
  next: number
  constructor(
    readonly stage: Stage,
    readonly flow: Flow,
    readonly run: Run,
    { round, kill, first }: { readonly round: number; readonly kill: Kill | null; readonly first: number },
  ) {
    this.kill = kill
    this.next = first
    this.#round = round
  }

  /** Plays the steps before this one. */
  async until(end: number): Promise<void> {
    for (const step of this.run.steps.slice(this.#done, end)) {
      const replica = this.next
      // The step before a kill is served by the replica that is killed, and the one after it by one that is chosen.
      const isNear = this.kill !== null && [this.kill.after - 1, this.kill.after].includes(this.#done)
      await this.#trying(`${step.name} at replica ${replica}`, async () => {
        const ask = step.isOnce === true && !isNear ? inOneMoment : askOne
        const answer = await ask(this.stage, step, replica)
        await step.take?.(answer)
      })
      this.#done += 1
      this.next = (replica + 1) % REPLICAS
    }
  }

  async end(): Promise<void> {
    for (const step of this.run.steps.filter(({ isOnce }) => isOnce)) {
      await this.#trying(`${step.name} again`, async () => {
        const answers = await this.stage.every((at) => step.ask(at))
        const accepted = answers.filter(({ status }) => status < 400)
        if (accepted.length > 0) throw new Error(`accepted: ${accepted.map(shown)}`)
      })
    }
    await this.#trying('at the end', () => this.run.holds())
  }

  /** What comes after a failure would only repeat it. */
  async #trying(what: string, act: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return
    try {
      await act()
    } catch (error) {
      this.#hasFailed = true
      const { kill } = this
      const by = kill === null ? '' : ` (killed after ${kill.after}${kill.isBack ? ', and waited for' : ''})`
      const why = error instanceof Error ? error.message : String(error)
      this.stage.failures.push(`${this.flow.name}, round ${this.#round}${by}: ${what}: ${why}`)
    }
  }
}

const shown = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)?.slice(0, 300)}`

async function askOne(stage: Stage, step: Step, replica: number): Promise<Answer> {
  const answer = await step.ask(stage.at(replica))
  if (answer.status >= 400) throw new Error(shown(answer))
  return answer
}

/** @returns the answer that was accepted. */
async function inOneMoment(stage: Stage, step: Step, replica: number): Promise<Answer> {
  const pair = [replica, (replica + 1) % REPLICAS]
  const answers = await Promise.all(pair.map((each) => step.ask(stage.at(each))))
  const [accepted, ...more] = answers.filter(({ status }) => status < 400)
  if (accepted === undefined || more.length > 0) throw new Error(`in one moment: ${answers.map(shown).join(' and ')}`)
  return accepted
}

/** Over twice as many rounds as a flow has pairs of steps, each pair is interrupted in both ways. */
function killOf(round: number, flow: number, pairs: number): Kill {
  const after = 1 + ((round + flow) % pairs)
  return { after, isBack: (after + Math.floor((round + flow) / pairs)) % 2 === 0 }
}

/** The flow and its number among all. */
type Numbered = readonly [number: number, flow: Flow]

interface Round {
  readonly number: number
  readonly isQuiet: boolean
}

async function prepared(stage: Stage, flows: readonly Numbered[], { number, isQuiet }: Round): Promise<Playing[]> {
  const playing: Playing[] = []
  for (const [index, flow] of flows) {
    const run = await flow.prepare(stage, `p${number}-${index}`).catch((error: unknown) => {
      stage.failures.push(`${flow.name}, round ${number}, before it: ${error instanceof Error ? error.message : error}`)
    })
    if (run === undefined) continue
    const kill = isQuiet ? null : killOf(number, index, run.steps.length - 1)
    // The step before the kill is served by the replica that is killed.
    const first = kill === null ? number + index : victimOf(number) + (REPLICAS - 1) * (kill.after - 1)
    playing.push(new Playing(stage, flow, run, { round: number, kill, first: first % REPLICAS }))
  }
  return playing
}

const victimOf = (round: number): number => round % REPLICAS

async function play(stage: Stage, playing: readonly Playing[], { number, isQuiet }: Round): Promise<void> {
  if (!isQuiet) await interrupt(stage, playing, victimOf(number))
  for (const each of playing) {
    await each.until(each.run.steps.length)
    await each.end()
  }
}

async function interrupt(stage: Stage, playing: readonly Playing[], victim: number): Promise<void> {
  const step = async ({ isBack }: { readonly isBack: boolean }) => {
    for (const each of playing.filter(({ kill }) => kill?.isBack === isBack)) {
      if (isBack) each.next = victim
      await each.until((each.kill?.after ?? 0) + 1)
    }
  }
  for (const each of playing) await each.until(each.kill?.after ?? 0)
  const back = stage.kill(victim)
  await step({ isBack: false })
  await back
  await step({ isBack: true })
}

/** @param rounds how many at most. */
export async function flowsOver(rounds: number): Promise<FlowsReport> {
  const stage = await openStage()
  /** How many rounds interrupt each flow: known when it was prepared once. */
  const turns = new Map<Flow, number>()
  let [number, played, interrupted] = [0, 0, 0]
  try {
    for (let isQuiet = false; number < rounds && !isQuiet; number++) {
      const all = [...FLOWS.entries()]
      const left = all.filter(([, flow]) => number < (turns.get(flow) ?? 1))
      isQuiet = left.length === 0
      const round = { number, isQuiet }
      const playing = await prepared(stage, isQuiet ? all : left, round)
      for (const { flow, run } of playing) turns.set(flow, 2 * (run.steps.length - 1))
      await play(stage, playing, round)
      played += playing.length
      interrupted += isQuiet ? 0 : playing.length
    }
  } finally {
    await stage.close()
  }
  return { rounds: number, played, interrupted, failures: stage.failures }
}
