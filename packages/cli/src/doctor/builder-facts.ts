/** What `plumbline doctor --builders` finds: whether a builder works, and what is wrong with the others. */
import { ApiError } from '@plumbline/client'
import { type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import type { Fact } from '../host/fact.js'
import { count } from '../report/reporter.js'

interface Builder {
  readonly name: string | null
  readonly state: 'working' | 'faulty' | 'gone'
  readonly lastSeenAt: string
  readonly building: readonly unknown[] | null
  readonly fault: { readonly reason: string; readonly message: string | null; readonly at: string | null } | null
}

interface Status {
  readonly waiting: number
  readonly oldestWaitingSeconds: number
  readonly builders: readonly Builder[]
}

export async function builderFacts(invocation: Invocation, io: Io): Promise<Fact[]> {
  try {
    const { openSession } = await import('../remote/session.js')
    const { data } = await openSession(invocation, io).send<Status>({ method: 'GET', path: '/plugins/queue/status' })
    return [queueOf(data), ...data.builders.map((each) => factOf(each, data.builders.some(isWorking)))]
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof NotDoneError || error instanceof UsageError)) throw error
    return [{ topic: 'builders', state: 'wrong', text: error.message }]
  }
}

const isWorking = ({ state }: Builder): boolean => state === 'working'

function queueOf({ waiting, oldestWaitingSeconds, builders }: Status): Fact {
  const working = builders.filter(isWorking).length
  const waits =
    waiting === 0 ? 'no build waits' : `${count(waiting, 'build')} waiting, one for ${oldestWaitingSeconds} s`
  if (working > 0) return { topic: 'builders', state: 'ok', text: `${count(working, 'builder')} working; ${waits}` }
  const start = 'run `plumbline builder`, or see PLUGIN_BUILDER of the server'
  if (builders.length === 0) {
    const text = `no builder was seen in the last day; ${waits}: ${start}`
    return { topic: 'builders', state: waiting > 0 ? 'wrong' : 'note', text }
  }
  return { topic: 'builders', state: 'wrong', text: `no builder works; ${waits}` }
}

/** One that does not work matters less while another does. */
function factOf({ name, state, lastSeenAt, building, fault }: Builder, isAnyWorking: boolean): Fact {
  const held = building === null || building.length === 0 ? '' : `, ${count(building.length, 'build')} running`
  const why =
    fault === null
      ? ''
      : `; since ${fault.at ?? lastSeenAt} ${fault.reason}${fault.message === null ? '' : `: ${fault.message}`}`
  const marks = { working: 'ok', faulty: 'wrong', gone: isAnyWorking ? 'note' : 'wrong' } as const
  return {
    topic: 'builder',
    state: marks[state],
    text: `${name ?? 'a builder'}: ${state}${held}, seen at ${lastSeenAt}${why}`,
  }
}
