/** A flow of sign-on as a list of steps, each of which any replica may serve. */
import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { credentialTables } from '../../src/identity/index.js'
import { ssoTables } from '../../src/sso/tables.js'
import { cookieIn, signInAt } from '../../test/support/oidc.js'
import type { Answer } from '../../test/support/sign-in.js'
import { type At, type Stage, same, sorted } from './flow-stage.js'

export interface Step {
  readonly name: string
  /** The request. It is sent twice at once, or again at the end, if `isOnce`. */
  ask(at: At): Promise<Answer>
  /** Looks at the answer, and does what a person does next at the provider. */
  take?(answer: Answer): void | Promise<void>
  /** Whether it uses up a state, a code, a grant or a confirmation, so that no replica accepts it again. */
  readonly isOnce?: boolean
}

export interface Run {
  readonly steps: readonly Step[]
  /** What must be true at every replica afterwards. @throws Error */
  holds(): Promise<void>
}

export interface Flow {
  readonly name: string
  /** @param name of a person whom nobody knows yet. */
  prepare(stage: Stage, name: string): Promise<Run>
}

/** A browser that is at the provider, or back from it. */
interface Browser {
  cookie: string
  returned: Record<string, string>
}

export const newBrowser = (): Browser => ({ cookie: '', returned: {} })

/** @param name that is typed at the provider. */
export async function goes(browser: Browser, answer: Answer, name: string): Promise<void> {
  browser.cookie = cookieIn(answer)
  browser.returned = await signInAt(answer.data.url, name)
}

/** The callback with what the browser brings. */
export const back = (browser: Browser, at: At, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  at.call('POST', path, { body: browser.returned, headers: { ...headers, cookie: browser.cookie } })

export const ssoCallback = (idpId: string): string => `/auth/sso/${idpId}/callback`

/** A verifier of a program on the machine of the person, and what it sends when it begins. */
export function newProgram() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, asking: { loopback: 'http://127.0.0.1:49152/x', challenge } }
}

/** What a session by the provider holds. */
export interface Came {
  userId: string
  sessionId: string
  accessToken: string
}

export const NOBODY: Came = { userId: '', sessionId: '', accessToken: '' }

const sessionIn = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid

/** The session of an answer with tokens. */
export const cameWith = ({ tokens }: { tokens: { accessToken: string; user: { id: string } } }): Came => ({
  userId: tokens.user.id,
  sessionId: sessionIn(tokens.accessToken),
  accessToken: tokens.accessToken,
})

/** What the account of a person leaves who registered and proved their address. */
export const REGISTERED = {
  'compliance.subscription.create': 1,
  'org.create': 1,
  'user.email.verified': 1,
  'user.register': 1,
}

/** Begin and callback of a sign-in to the open company, for flows that go on from a session. */
export function signInSteps({ open }: Pick<Stage, 'open'>, name: string, take: (came: Came) => void): Step[] {
  const browser = newBrowser()
  return [
    {
      name: 'authorize',
      ask: (at) => at.call('POST', `/auth/sso/${open.orgId}/authorize`, { body: {} }),
      take: (answer) => goes(browser, answer, name),
    },
    {
      name: 'callback',
      isOnce: true,
      ask: (at) => back(browser, at, ssoCallback(open.idpId)),
      take: ({ data }) => {
        same('the sign-in', data.kind, 'session')
        take(cameWith(data))
      },
    },
  ]
}

/** Begin and callback of a step-up by the provider. */
function stepUpSteps({ open }: Stage, name: string, came: () => Came, take: (token: string) => void): Step[] {
  const browser = newBrowser()
  const body = { kind: 'step-up', action: 'identity.pat.create' }
  return [
    {
      name: 'begin a step-up',
      ask: (at) => at.call('POST', `/auth/sso/${open.orgId}/attach`, { as: came(), body }),
      take: (answer) => goes(browser, answer, name),
    },
    {
      name: 'callback of the step-up',
      isOnce: true,
      ask: (at) => back(browser, at, ssoCallback(open.idpId)),
      take: ({ data }) => {
        same('the step-up', data.kind, 'step-up')
        take(data.stepUpToken)
      },
    },
  ]
}

const madeToken = (came: () => Came, stepUpToken: () => string, take: (token: string) => void): Step => ({
  name: 'use the step-up',
  isOnce: true,
  ask: (at) =>
    at.call('POST', '/auth/pats', {
      as: came(),
      body: { name: 'ci' },
      headers: { 'x-step-up-token': stepUpToken() },
    }),
  take: ({ data }) => take(data.token),
})

/** A sign-in, a step-up by the provider, and a personal access token by it; `held` has what they brought so far. */
export function tokenSteps(stage: Stage, name: string) {
  const held = { came: NOBODY, stepUpToken: '', pat: '' }
  const steps = [
    ...signInSteps(stage, name, (came) => void Object.assign(held, { came })),
    ...stepUpSteps(
      stage,
      name,
      () => held.came,
      (stepUpToken) => void Object.assign(held, { stepUpToken }),
    ),
    madeToken(
      () => held.came,
      () => held.stepUpToken,
      (pat) => void Object.assign(held, { pat }),
    ),
  ]
  return { held, steps }
}

/** The code with which a replica answers a member of the organization, or 200. */
export const doorOf = (orgId: string, as: string) => async (at: At) => {
  const { status, code } = await at.call('GET', `/organization/${orgId}/members`, { as })
  return code ?? status
}

export const look = (orgId: string, as: () => string): Step => ({
  name: 'act in the organization',
  ask: (at) => at.call('GET', `/organization/${orgId}/members`, { as: as() }),
})

interface Expected {
  readonly email: string
  readonly userId: string
  readonly ids?: readonly string[]
  readonly links: number
  /** Links to social accounts. */
  readonly socialLinks?: number
  readonly acts: Readonly<Record<string, number>>
}

/** One account, its links, and one audit event for each act. */
export async function left(stage: Stage, { email, userId, ids = [], links, socialLinks = 0, acts }: Expected) {
  same(`accounts of ${email}`, await stage.accountsOf(email), 1)
  const linked = await stage.replicas.store.system.read(async (db) => {
    const { identityLinks } = ssoTables(db)
    const { socialLinks: social } = credentialTables(db)
    return [
      await db.$count(identityLinks, eq(identityLinks.userId, userId)),
      await db.$count(social, eq(social.userId, userId)),
    ]
  })
  same(`links and social links of ${email}`, linked, [links, socialLinks])
  same('audit events', await stage.actsOf([userId, ...ids]), sorted(acts))
}
