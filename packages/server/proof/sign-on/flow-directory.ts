/** A person whom the directory removes: session, token and stream end at every replica. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../test/support/sign-in.js'
import { type Flow, left, type Step, tokenSteps } from './flow.js'
import { type At, type Stage, same } from './flow-stage.js'

const WITHIN_MS = 5000

interface Stream {
  readonly url: string
  isOver: boolean
}

/** Follows the changes of the organization. @returns when the stream has begun. */
async function follow({ url }: At, accessToken: string): Promise<Stream> {
  const answer = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${accessToken}` } })
  same('the stream', answer.status, 200)
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const stream: Stream = { url, isOver: (await reader.read()).done }
  void (async () => {
    while (!(await reader.read()).done);
  })()
    // A replica that is killed breaks it off.
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true
    })
  return stream
}

async function scim({ open }: Stage, url: string, method: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/api/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${open.scimToken}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify(body),
  })
  const { status, headers } = response
  const read = await response.json()
  return { status, headers, body: read, data: read, code: undefined }
}

const DEACTIVATE = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
}

/** Nothing of the person is open any more, at any replica. @throws Error when something is after five seconds. */
async function isOut(stage: Stage, credentials: readonly string[], streams: readonly Stream[]): Promise<void> {
  const endsAtMs = Date.now() + WITHIN_MS
  const { orgId } = stage.open
  for (const as of credentials) {
    await stage.everyWithin(endsAtMs - Date.now(), 'a credential of who is removed', 401, async (at) => {
      return (await at.call('GET', `/organization/${orgId}`, { as })).status
    })
  }
  while (streams.some(({ isOver }) => !isOver)) {
    if (Date.now() > endsAtMs) throw new Error(`a stream of who is removed goes on after ${WITHIN_MS} ms`)
    await sleep(20)
  }
}

const removed: Flow = {
  name: 'removed by the directory',
  async prepare(stage, name) {
    const { open, replicas } = stage
    const email = `${name}@${open.domain}`
    const made = await scim(stage, replicas.url, 'POST', '/Users', {
      ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: email, externalId: `ext-${name}` },
      emails: [{ value: email, primary: true }],
    })
    same('the user of the directory', made.status, 201)
    const { held, steps: withToken } = tokenSteps(stage, name)
    const credentials = () => [held.came.accessToken, held.pat]
    const streams: Stream[] = []
    const followed = async (at: At) => {
      if (!streams.some(({ url, isOver }) => url === at.url && !isOver))
        streams.push(await follow(at, held.came.accessToken))
    }
    const steps: Step[] = [
      ...withToken,
      {
        name: 'follow what changes',
        ask: (at) => at.call('GET', '/auth/me', { as: held.came }),
        take: async () => {
          await stage.every(followed)
          for (const as of credentials()) await stage.everyWithin(0, 'the person', 200, statusOf(as))
        },
      },
      {
        name: 'deactivate',
        ask: async (at) => {
          // A client whose replica was killed comes again.
          await stage.every(followed)
          return scim(stage, at.url, 'PATCH', `/Users/${made.body.id}`, DEACTIVATE)
        },
        take: () => isOut(stage, credentials(), streams),
      },
    ]
    return {
      steps,
      async holds() {
        for (const as of credentials()) await stage.everyWithin(0, 'who is removed', 401, statusOf(as))
        const codes = await stage.every(async (at) => (await stage.signsIn(at, open, name)).code)
        same('a sign-in of who is removed', codes, Array(codes.length).fill('SSO_REFUSED'))
        const acts = {
          ...{ 'identity.sso.link': 1, 'identity.sso.login': 1, 'org.member.deactivate': 1 },
          ...{ 'scim.user.create': 1, 'scim.user.update': 1, 'user.token.create': 1 },
        }
        await left(stage, { email, userId: held.came.userId, links: 1, acts })
      },
    }
    function statusOf(as: string) {
      return async (at: At) => (await at.call('GET', '/auth/me', { as })).status
    }
  },
}

export const DIRECTORY_FLOWS: readonly Flow[] = [removed]
