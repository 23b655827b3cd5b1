/** What a call that is written down works with: callers, requests by the name of an operation, and the world's records. */
import type { App } from '../../src/app.js'
import { signMoved } from '../../src/audit/checkpoint/sign.js'
import { isByHeader, type Operation } from '../../src/runtime/operation/operation.js'
import { queuedMails } from '../isolation/isolation.js'
import { confirmation, credential, pathOf, queryOf, send } from '../requests/call.js'
import type { FormFile } from '../requests/files.js'
import type { Answer, ProofRequest } from '../requests/request.js'
import type { PrincipalKind, ProofOrganization, ProofPrincipal, World } from '../world/model.js'

export interface Asked {
  /** The owner of the organization unless said. */
  readonly as?: PrincipalKind
  /** Somebody whom the call itself made, in place of `as`. */
  readonly token?: string
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly file?: FormFile
  /** The organization of the header; the caller's own unless said. */
  readonly orgId?: string
  /** Confirms identity also where the operation asks for it at times only. */
  readonly stepUp?: true
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
export type Data = any

export interface Hands {
  readonly app: App
  /** The organization whose people call: a root with teams. */
  readonly org: ProofOrganization
  readonly team: ProofOrganization
  readonly ownerId: string
  /** Prepares something by another operation. @throws Error when it is refused. */
  prepare(operation: string, asked?: Asked): Promise<Data>
  /** The code and the details of a refusal that the call needs. @throws Error when it is not refused. */
  refused(operation: string, asked?: Asked): Promise<Data>
  /** Calls the operation itself. @returns null when it was answered with success, else what it was answered with. */
  call(asked?: Asked): Promise<string | null>
  /** As `call`, with the whole answer. */
  answer(asked?: Asked): Promise<Answer>
  /** Moves the clock. */
  later(ms: number): void
  /** Signs what is sealed of the trails. */
  sign(): Promise<void>
  /** The token in the newest e-mail to the address that leads to such a page. */
  mailed(to: string, page?: string): Promise<string>
}

/** Sends what the operation itself is called with, once or in another manner. */
export type Sender = (make: () => Promise<ProofRequest>) => Promise<Answer>

const homeOf = ({ organizations }: World): ProofOrganization => organizations[0] as ProofOrganization

function callerOf(world: World, { as = 'owner', token }: Asked): ProofPrincipal {
  const isHere = ({ kind, home }: ProofPrincipal) => kind === as && (home === null || home === homeOf(world).index)
  const found = world.principals.find(isHere)
  if (found === undefined) throw new Error(`nobody of the first organization is ${as}`)
  return token === undefined ? found : { ...found, token, canStepUp: true }
}

async function requestOf(world: World, app: App, each: Operation, asked: Asked): Promise<ProofRequest> {
  const home = homeOf(world).id
  const { as, token, path = {}, query = {}, body, file, orgId = home } = asked
  const who = callerOf(world, asked)
  const isFound = isByHeader(each.tenant) && as !== 'anonymous' && token === undefined
  const confirmed = asked.stepUp === true ? { ...each, access: { ...each.access, stepUp: 'always' as const } } : each
  return {
    method: each.http.method.toUpperCase(),
    target: `${pathOf(each, each.tenant.from === 'path' ? { [each.tenant.name]: home, ...path } : path)}${queryOf(query)}`,
    headers: {
      ...credential(who),
      ...(isFound ? { 'x-org-id': orgId } : {}),
      ...(await confirmation(app, confirmed as Operation, who)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    file,
  }
}

export function createHands(
  world: World,
  app: App,
  operation: Operation,
  sendOwn: Sender = async (make) => send(app, await make()),
): Hands {
  const org = homeOf(world)
  const find = (name: string): Operation => {
    const found = app.operations.find((each) => each.name === name)
    if (found === undefined) throw new Error(`${name} is not an operation`)
    return found
  }
  const ask = async (name: string, asked: Asked) => send(app, await requestOf(world, app, find(name), asked))
  const askOwn = (asked: Asked) => sendOwn(() => requestOf(world, app, operation, asked))
  const told = ({ status, text }: Answer): string => `is answered with ${status} ${text.slice(0, 300)}`
  return {
    app,
    org,
    team: world.organizations[org.children[0] ?? -1] as ProofOrganization,
    ownerId: callerOf(world, {}).self,
    async prepare(name, asked = {}) {
      const answer = await ask(name, asked)
      if (answer.status >= 300) throw new Error(`before it ${name} ${told(answer)}`)
      const said = answer.text === '' ? {} : JSON.parse(answer.text)
      return said.data ?? said
    },
    async refused(name, asked = {}) {
      const answer = await ask(name, asked)
      if (answer.status < 300) throw new Error(`before it ${name} is not refused`)
      return JSON.parse(answer.text)
    },
    async call(asked = {}) {
      const answer = await askOwn(asked)
      return answer.status < 300 ? null : told(answer)
    },
    answer: (asked = {}) => askOwn(asked),
    later: (ms) => world.later(ms),
    sign: async () => void (await signMoved(app.runtime)),
    async mailed(to, page = '') {
      const tokens = (await queuedMails(world, app)).flatMap((mail) =>
        mail.to === to ? (new RegExp(`${page}\\?token=([\\w-]+)`).exec(mail.text)?.[1] ?? []) : [],
      )
      const newest = tokens.at(-1)
      if (newest === undefined) throw new Error(`no e-mail to ${to} holds a token`)
      return newest
    },
  }
}
