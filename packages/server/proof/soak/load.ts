/** A steady mix of what people do: reads, changes with their evidence, refreshes, sign-ins and sign-outs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../world/random.js'

const PASSWORD = 'Correct-Horse-7'

export interface Load {
  /** Answers by status; 0 for none. */
  readonly statuses: Record<number, number>
  /** Access tokens that were given out and used. */
  tokens: number
  /** Sessions that were begun. */
  sessions: number
  /** May be set to another one while it runs. */
  mix: Mix
  stop(): Promise<void>
}

/** What the clients do in turns; what the shares leave are reads. */
export interface Mix {
  /** Turns of all clients together in a second, where the server keeps up. */
  readonly perSecond: number
  readonly changes: number
  readonly refreshes: number
  readonly signIns: number
}

/** A session may be refreshed 20 times in 15 minutes. */
const REFRESHES_MAX = 15

interface Person {
  readonly name: string
  readonly orgId: string
  accessToken: string
  refreshToken: string
  refreshes: number
}

/** Sends requests and counts their statuses; 0 for one that got no answer. */
const callerOf = (url: string, statuses: Record<number, number>) =>
  async function call(method: string, path: string, token: string | null, body?: unknown) {
    let status = 0
    try {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      status = response.status
      const text = await response.text()
      return text === '' ? {} : (JSON.parse(text).data ?? {})
    } finally {
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }

export function startLoad(url: string, clients: number, mix: Mix): Load {
  const statuses: Record<number, number> = {}
  const load: Load = { statuses, tokens: 0, sessions: 0, stop, mix }
  let isOver = false

  const call = callerOf(url, statuses)

  async function signIn(name: string): Promise<Pick<Person, 'accessToken' | 'refreshToken' | 'refreshes'>> {
    load.tokens += 1
    load.sessions += 1
    const tokens = await call('POST', '/auth/login', null, { identifier: name, password: PASSWORD })
    return { ...tokens, refreshes: 0 }
  }

  async function act(person: Person, choice: number, pick: number, n: number): Promise<void> {
    const { orgId, accessToken } = person
    const { changes, refreshes, signIns } = load.mix
    if (choice < changes) {
      // Made and taken away, so that the tables of the business stay as they are.
      const body = { name: `Role ${n}`, permissions: ['pipelines:read'] }
      const { role } = await call('POST', `/organization/${orgId}/roles`, accessToken, body)
      await call('DELETE', `/organization/${orgId}/roles/${role.id}`, accessToken)
    } else if (choice < changes + refreshes && person.refreshes < REFRESHES_MAX) {
      load.tokens += 1
      person.refreshes += 1
      const { refreshToken } = person
      Object.assign(person, await call('POST', '/auth/refresh', null, { refreshToken }))
      await call('GET', '/auth/me', person.accessToken)
    } else if (choice < changes + refreshes + signIns) {
      const other = await signIn(person.name)
      await call('GET', '/auth/me', other.accessToken)
      await call('POST', '/auth/logout', accessToken, {})
      Object.assign(person, other)
    } else {
      const paths = ['/auth/me', `/organization/${orgId}`, `/organization/${orgId}/roles`, '/audit?limit=20']
      await call('GET', paths[Math.floor(pick * paths.length)] ?? '/auth/me', accessToken)
    }
  }

  async function client(at: number): Promise<void> {
    const random = createRandom(at + 1)
    const name = `soak${at}`
    const account = { username: name, email: `${name}@plumbline.test`, password: PASSWORD, organizationName: name }
    const { organization } = await call('POST', '/auth/register', null, account)
    const person: Person = { name, orgId: organization.id, ...(await signIn(name)) }
    for (let n = 0, dueMs = performance.now(); !isOver; n++) {
      await act(person, random.next(), random.next(), n)
      dueMs = Math.max(dueMs + (clients * 1000) / load.mix.perSecond, performance.now() - 1000)
      await sleep(Math.max(0, dueMs - performance.now()))
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
  async function stop(): Promise<void> {
    isOver = true
    await running
  }
  // What breaks is seen at once, not at the end.
  running.catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
  return load
}
