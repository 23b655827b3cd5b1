/** The flows of sign-on with a social account. */
import { PASSWORD, type SignedIn } from '../../test/support/sign-in.js'
import { back, cameWith, doorOf, type Flow, goes, left, look, newBrowser, REGISTERED, type Step } from './flow.js'
import { same } from './flow-stage.js'

const callback = '/auth/oauth/google/callback'

/** What a person has while a social account is linked, used and unlinked. */
interface Linking {
  readonly person: SignedIn
  readonly name: string
  /** Confirmations by password and by the social account. */
  password: string
  google: string
  /** The session by the social account. */
  tokens: { readonly accessToken: string }
}

function linkSteps(held: Linking): Step[] {
  const { person, name } = held
  const browser = newBrowser()
  return [
    {
      name: 'step-up by password',
      ask: (at) => at.call('POST', '/auth/step-up', { as: person, body: { method: 'password', password: PASSWORD } }),
      take: ({ data }) => {
        held.password = data.stepUpToken
      },
    },
    {
      name: 'begin a link',
      isOnce: true,
      ask: (at) =>
        at.call('POST', '/auth/me/links/google', {
          as: person,
          body: {},
          headers: { 'x-step-up-token': held.password },
        }),
      take: (answer) => goes(browser, answer, name),
    },
    {
      name: 'callback of the link',
      isOnce: true,
      ask: (at) => back(browser, at, callback),
      take: ({ data }) => same('the link', data.kind, 'linked'),
    },
  ]
}

function useSteps(held: Linking): Step[] {
  const [coming, confirming] = [newBrowser(), newBrowser()]
  return [
    {
      name: 'begin a sign-in',
      ask: (at) => at.call('POST', '/auth/oauth/google/url', { body: {} }),
      take: (answer) => goes(coming, answer, held.name),
    },
    {
      name: 'callback of the sign-in',
      isOnce: true,
      ask: (at) => back(coming, at, callback),
      take: ({ data }) => {
        same('the person', data.tokens?.user?.id, held.person.userId)
        held.tokens = data.tokens
      },
    },
    {
      name: 'begin a step-up',
      ask: (at) => at.call('POST', '/auth/oauth/google/step-up', { as: held.tokens, body: {} }),
      take: (answer) => goes(confirming, answer, held.name),
    },
    {
      name: 'callback of the step-up',
      isOnce: true,
      ask: (at) => back(confirming, at, callback),
      take: ({ data }) => {
        held.google = data.stepUpToken
      },
    },
  ]
}

const socialLink: Flow = {
  name: 'social account linked, used and unlinked',
  async prepare(stage, name) {
    const person = await stage.person(name)
    stage.fake.people.set(name, { email: person.email, email_verified: true })
    const held: Linking = { person, name, password: '', google: '', tokens: { accessToken: '' } }
    const unlink: Step = {
      name: 'unlink',
      isOnce: true,
      ask: (at) =>
        at.call('DELETE', '/auth/me/links/google', {
          as: held.tokens,
          headers: { 'x-step-up-token': held.google },
        }),
    }
    return {
      steps: [...linkSteps(held), ...useSteps(held), unlink],
      async holds() {
        await stage.everyWithin(0, 'links', 0, async (at) => {
          return (await at.call('GET', '/auth/me/links', { as: held.tokens })).data.links.length
        })
        const answers = await stage.every(async (at) => {
          const browser = newBrowser()
          await goes(browser, await at.call('POST', '/auth/oauth/google/url', { body: {} }), name)
          return (await back(browser, at, callback)).code
        })
        same('a sign-in without the link', answers, Array(answers.length).fill('DUPLICATE_ENTRY'))
        const acts = { ...REGISTERED, 'identity.sso.link': 1, 'identity.sso.unlink': 1, 'user.login': 2 }
        await left(stage, { email: person.email, userId: person.userId, links: 0, acts })
      },
    }
  },
}

const invitation: Flow = {
  name: 'invitation accepted by a social account',
  async prepare(stage, name) {
    const { open, fake } = stage
    const email = `${name}@social.test`
    fake.people.set(name, { email, email_verified: true })
    const token = await stage.invited(open, email)
    const browser = newBrowser()
    const came = { userId: '', accessToken: '' }
    const steps: Step[] = [
      {
        name: 'begin',
        ask: (at) => at.call('POST', '/auth/oauth/github/url', { body: { kind: 'invitation', token } }),
        take: (answer) => goes(browser, answer, name),
      },
      {
        name: 'callback',
        ask: (at) => back(browser, at, '/auth/oauth/github/callback'),
        take: ({ data }) => same('the callback', data.kind, 'invitation'),
      },
      {
        name: 'accept',
        isOnce: true,
        ask: (at) =>
          at.call('POST', '/invitation/accept-oauth', {
            body: { ...browser.returned, provider: 'github' },
            headers: { cookie: browser.cookie },
          }),
        take: ({ data }) => {
          Object.assign(came, cameWith(data))
        },
      },
      look(open.orgId, () => came.accessToken),
    ]
    return {
      steps,
      async holds() {
        await stage.everyWithin(0, 'the session', 200, doorOf(open.orgId, came.accessToken))
        const late = await stage.every(async (at) => (await at.call('GET', `/invitation/${token}`)).data.status)
        same('the invitation', late, Array(late.length).fill('accepted'))
        const acts = { 'identity.sso.link': 1, 'invitation.accept': 1, 'user.login': 1, 'user.register': 1 }
        await left(stage, { email, userId: came.userId, links: 0, socialLinks: 1, acts })
      },
    }
  },
}

export const SOCIAL_FLOWS: readonly Flow[] = [socialLink, invitation]
