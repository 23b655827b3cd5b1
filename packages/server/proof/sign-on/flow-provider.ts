/** The flows of sign-on with the provider of an organization. */
import { cookieIn } from '../../test/support/oidc.js'
import { NOTICED_MS } from '../../test/support/replica-processes.js'
import { type Answer, PASSWORD } from '../../test/support/sign-in.js'
import {
  back,
  cameWith,
  doorOf,
  type Flow,
  goes,
  left,
  look,
  NOBODY,
  newBrowser,
  newProgram,
  REGISTERED,
  type Step,
  signInSteps,
  ssoCallback,
  tokenSteps,
} from './flow.js'
import { type At, PUBLIC_URL, same } from './flow-stage.js'

/** A step that no replica serves. */
const elsewhere = (status: number): Answer => ({
  ...{ status, code: undefined, data: undefined, body: undefined },
  headers: new Headers(),
})

const signInAndLogout: Flow = {
  name: 'sign-in by a browser, and logout',
  async prepare(stage, name) {
    const { open } = stage
    const ours = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
    const browser = newBrowser()
    const session = { userId: '', cookie: '' }
    const byCookie = () => ({ headers: { ...ours, cookie: session.cookie } })
    const meBy = async (at: At) => (await at.call('GET', '/auth/me', byCookie())).status
    const steps: Step[] = [
      {
        name: 'authorize',
        ask: (at) => at.call('POST', `/auth/sso/${open.orgId}/authorize`, { body: {} }),
        take: (answer) => goes(browser, answer, name),
      },
      {
        name: 'callback',
        isOnce: true,
        ask: (at) => back(browser, at, `${ssoCallback(open.idpId)}?cookie=session`, ours),
        take: (answer) => {
          same('the sign-in', answer.data.kind, 'session')
          Object.assign(session, { userId: answer.data.tokens.user.id, cookie: cookieIn(answer) })
        },
      },
      {
        name: 'act',
        ask: (at) => at.call('GET', `/organization/${open.orgId}/members`, byCookie()),
        take: () => stage.everyWithin(0, 'the session', 200, meBy),
      },
      { name: 'logout', ask: (at) => at.call('POST', '/auth/sso/logout', byCookie()) },
    ]
    return {
      steps,
      async holds() {
        await stage.everyWithin(NOTICED_MS, 'the session that ended', 401, meBy)
        const acts = { 'identity.sso.link': 1, 'identity.sso.login': 1, 'user.logout': 1 }
        await left(stage, { email: `${name}@${open.domain}`, userId: session.userId, links: 1, acts })
      },
    }
  },
}

const program: Flow = {
  name: 'sign-in of a program',
  async prepare(stage, name) {
    const { open } = stage
    const { verifier, asking } = newProgram()
    const browser = newBrowser()
    let [ticket, grant, refreshToken] = ['', '', '']
    let came = NOBODY
    const steps: Step[] = [
      {
        name: 'authorize',
        ask: (at) => at.call('POST', `/auth/sso/${open.orgId}/authorize`, { body: { kind: 'program', ...asking } }),
        take: ({ data }) => {
          ticket = new URL(data.url).searchParams.get('ticket') ?? ''
        },
      },
      {
        name: 'take up the ticket',
        isOnce: true,
        ask: (at) => at.call('POST', '/auth/sso/start', { body: { ticket } }),
        take: (answer) => goes(browser, answer, name),
      },
      {
        name: 'callback',
        isOnce: true,
        ask: (at) => back(browser, at, ssoCallback(open.idpId)),
        take: ({ data }) => {
          same('the callback', data.kind, 'program')
          grant = new URL(data.location).searchParams.get('grant') ?? ''
        },
      },
      {
        name: 'exchange the grant',
        isOnce: true,
        ask: (at) => at.call('POST', '/auth/sso/exchange', { body: { grant, verifier } }),
        take: ({ data }) => {
          came = cameWith({ tokens: data })
          refreshToken = data.refreshToken
        },
      },
      {
        name: 'refresh',
        ask: (at) => at.call('POST', '/auth/refresh', { body: { refreshToken } }),
        take: ({ data }) => {
          came = { ...came, accessToken: data.accessToken }
        },
      },
      look(open.orgId, () => came.accessToken),
    ]
    return {
      steps,
      async holds() {
        await stage.everyWithin(0, 'the session', 200, doorOf(open.orgId, came.accessToken))
        const acts = { 'identity.sso.link': 1, 'identity.sso.login': 1 }
        await left(stage, { email: `${name}@${open.domain}`, userId: came.userId, links: 1, acts })
      },
    }
  },
}

const attach: Flow = {
  name: 'proof for a session by password',
  async prepare(stage, name) {
    const { closed, fake } = stage
    const person = await stage.person(name)
    const token = await stage.invited(closed, person.email)
    const joined = await stage.app.call('POST', '/invitation/accept', { as: person, body: { token } })
    same('the membership', joined.data?.organization?.id, closed.orgId)
    fake.people.set(name, { email: person.email, email_verified: true })
    const browser = newBrowser()
    const password = { method: 'password', password: PASSWORD }
    const login = { body: { identifier: name, password: PASSWORD } }
    let [accessToken, stepUpToken] = ['', '']
    const steps: Step[] = [
      {
        name: 'login by password',
        ask: (at) => at.call('POST', '/auth/login', login),
        take: async ({ data }) => {
          accessToken = data.accessToken
          await stage.everyWithin(0, 'without a proof', 'SSO_REQUIRED', doorOf(closed.orgId, accessToken))
        },
      },
      {
        name: 'step-up',
        ask: (at) => at.call('POST', '/auth/step-up', { as: accessToken, body: password }),
        take: ({ data }) => {
          stepUpToken = data.stepUpToken
        },
      },
      {
        name: 'attach',
        ask: (at) =>
          at.call('POST', `/auth/sso/${closed.orgId}/attach`, {
            as: accessToken,
            body: {},
            headers: { 'x-step-up-token': stepUpToken },
          }),
        take: (answer) => goes(browser, answer, name),
      },
      {
        name: 'callback',
        isOnce: true,
        ask: (at) => back(browser, at, ssoCallback(closed.idpId)),
        take: ({ data }) => same('the proof', data.kind, 'attached'),
      },
      look(closed.orgId, () => accessToken),
    ]
    return {
      steps,
      async holds() {
        await stage.everyWithin(NOTICED_MS, 'with its proof', 200, doorOf(closed.orgId, accessToken))
        const other = await stage.app.call('POST', '/auth/login', login)
        const refused = doorOf(closed.orgId, other.data.accessToken)
        await stage.everyWithin(0, 'another session of the person', 'SSO_REQUIRED', refused)
        const acts = {
          ...{ ...REGISTERED, 'invitation.accept': 1, 'user.login': 3 },
          ...{ 'identity.sso.link': 1, 'identity.sso.login': 1 },
        }
        await left(stage, { email: person.email, userId: person.userId, links: 1, acts })
      },
    }
  },
}

const stepUp: Flow = {
  name: 'step-up by the provider',
  async prepare(stage, name) {
    const { open } = stage
    const { held, steps } = tokenSteps(stage, name)
    return {
      steps: [...steps, look(open.orgId, () => held.pat)],
      async holds() {
        await stage.everyWithin(0, 'the token', 200, doorOf(open.orgId, held.pat))
        const counts = await stage.every(
          async (at) => (await at.call('GET', '/auth/pats', { as: held.came })).data.pats.length,
        )
        same('tokens of the person', new Set(counts).size === 1 && counts[0], 1)
        const acts = { 'identity.sso.link': 1, 'identity.sso.login': 1, 'user.token.create': 1 }
        await left(stage, { email: `${name}@${open.domain}`, userId: held.came.userId, links: 1, acts })
      },
    }
  },
}

const backChannel: Flow = {
  name: 'logout by the back channel',
  async prepare(stage, name) {
    const { open, fake } = stage
    let came = NOBODY
    let logoutToken = ''
    const signsIn = signInSteps(stage, name, (each) => {
      came = each
    })
    const steps: Step[] = [
      ...signsIn,
      {
        ...look(open.orgId, () => came.accessToken),
        take: async () => {
          await stage.everyWithin(0, 'the session', 200, doorOf(open.orgId, came.accessToken))
          logoutToken = await fake.logoutToken(name)
        },
      },
      {
        name: 'logout token',
        isOnce: true,
        ask: (at) => at.form(`/auth/sso/${open.idpId}/backchannel-logout`, { logout_token: logoutToken }),
      },
    ]
    return {
      steps,
      async holds() {
        const door = doorOf(open.orgId, came.accessToken)
        await stage.everyWithin(NOTICED_MS, 'the session that the provider ended', 'TOKEN_REVOKED', door)
        const acts = { 'identity.sso.link': 1, 'identity.sso.login': 1, 'user.session.revoke': 1 }
        const { userId, sessionId } = came
        await left(stage, { email: `${name}@${open.domain}`, userId, ids: [sessionId], links: 1, acts })
      },
    }
  },
}

/** Every replica has read the keys of the provider a moment before they change. */
const rotation: Flow = {
  name: 'keys that change',
  async prepare(stage, name) {
    const { turning } = stage
    const company = await stage.company(`of-${name}`, `${name}.test`, turning)
    const email = `${name}@${company.domain}`
    turning.people.set(name, { email, email_verified: true })
    turning.people.set('other', { email: `other@${company.domain}`, email_verified: true })
    for (const kind of await stage.every(async (at) => (await stage.signsIn(at, company, 'other')).data?.kind)) {
      same('a sign-in with the former key', kind, 'session')
    }
    const browser = newBrowser()
    let begun = elsewhere(0)
    let came = NOBODY
    const steps: Step[] = [
      {
        name: 'authorize',
        ask: (at) => at.call('POST', `/auth/sso/${company.orgId}/authorize`, { body: {} }),
        take: (answer) => {
          begun = answer
        },
      },
      {
        name: 'change the keys',
        ask: () => turning.rotate().then(() => elsewhere(204)),
        take: () => goes(browser, begun, name),
      },
      {
        name: 'callback',
        isOnce: true,
        ask: (at) => back(browser, at, ssoCallback(company.idpId)),
        take: ({ data }) => {
          same('the sign-in', data.kind, 'session')
          came = cameWith(data)
        },
      },
      look(company.orgId, () => came.accessToken),
    ]
    return {
      steps,
      async holds() {
        await stage.everyWithin(0, 'the session', 200, doorOf(company.orgId, came.accessToken))
        const kinds = await stage.every(async (at) => (await stage.signsIn(at, company, 'other')).data?.kind)
        same('a sign-in with the new key', kinds, Array(kinds.length).fill('session'))
        const acts = { 'identity.sso.link': 1, 'identity.sso.login': 1 }
        await left(stage, { email, userId: came.userId, links: 1, acts })
      },
    }
  },
}

export const PROVIDER_FLOWS: readonly Flow[] = [signInAndLogout, program, attach, stepUp, backChannel, rotation]
