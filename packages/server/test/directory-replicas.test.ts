/** A person whom the directory deactivates is out of every replica within five seconds: sessions of the provider, other sessions, tokens. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeAi, startFakeAi } from '../src/ai/fake/server.js'
import { type FakeSso, startFakeSso } from '../src/sso/fake/start.js'
import { began, came, signInAt, withProvider } from './support/oidc.js'
import { confirmed } from './support/organizations.js'
import { type Replicas, startReplicas } from './support/replica-processes.js'
import { type SignedIn, signUp, verifyAddress } from './support/sign-in.js'
import type { SsoApp } from './support/sso.js'
import { postgresMissing, redisMissing } from './support/stores.js'

const missing = (await postgresMissing()) ?? (await redisMissing())
const REPLICAS = 3
const each = [...Array(REPLICAS).keys()]
/** What a replica keeps lives 5 s; a machine with other work takes several times as long. */
const WITHIN_MS = 20_000

describe.skipIf(missing !== null)(`a directory over three replicas${missing ? ` (${missing})` : ''}`, () => {
  let replicas: Replicas
  let fake: FakeSso
  let model: FakeAi
  let app: SsoApp
  let ann: SignedIn
  let idpId: string
  let scimToken: string
  beforeAll(async () => {
    fake = await startFakeSso({ domain: 'acme.test' })
    model = await startFakeAi({ misbehave: () => 'drip', waitMs: 2000 })
    const drafts = { AI_COMPAT_BASE_URL: `http://127.0.0.1:${model.port}/v1`, AI_COMPAT_MODEL: 'fake-1' }
    replicas = await startReplicas(REPLICAS, { BILLING_ENABLED: 'false', ...fake.settings, ...drafts })
    app = replicas.app as SsoApp
    ann = await signUp(app, 'ann')
    await verifyAddress(app, ann.userId)
    idpId = await withProvider(app, ann, fake.url, { clientSecret: fake.clientSecret, jit: true })
    const path = `/organization/${ann.orgId}/domains`
    const added = await confirmed(app, 'POST', path, { as: ann, body: { domain: 'acme.test' } })
    const { id, record } = added.data.domain
    fake.records.set(record.name, [record.value])
    expect((await app.call('POST', `${path}/${id}/verify`, { as: ann })).data.domain.status).toBe('verified')
    const made = await confirmed(app, 'POST', `/organization/${ann.orgId}/scim-tokens`, { as: ann, body: {} })
    scimToken = made.data.token
  })
  afterAll(async () => {
    await replicas?.stop()
    await fake?.close()
    await model?.close()
  })

  /** A draft of many minutes at one replica. @returns when it had begun, how it ended. */
  async function drafting(replica: number, as: string): Promise<{ ended: Promise<string> }> {
    const answer = await fetch(`${replicas.urls[replica]}/api/pipelines/generate/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: '{"prompt":"node service","provider":"openai-compatible"}',
    })
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    const read = async () => {
      const { value, done } = await reader.read()
      text += Buffer.from(value ?? []).toString()
      return done
    }
    while (!text.includes('event: partial') && !(await read()));
    expect(text).toContain('event: partial')
    const ended = (async () => {
      while (!(await read()));
      return text.slice(text.lastIndexOf('event: '))
    })()
    return { ended }
  }

  /** A directory asks whichever replica the balancer gives it. */
  async function scim(method: string, path: string, body: object) {
    const answer = await fetch(`${replicas.url}/api/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as { id: string }) }
  }

  /** Whether each replica lets the credential act in the organization. */
  const doors = (as: string) =>
    Promise.all(
      each.map(async (replica) => {
        const answer = await replicas.at(replica).call('GET', `/organization/${ann.orgId}`, { as })
        return answer.status === 200
      }),
    )

  it('ends sessions and tokens of who is deactivated, and brings none of them back', async () => {
    const user = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'nina@acme.test',
      externalId: 'ext-nina',
      emails: [{ value: 'nina@acme.test', primary: true }],
    }
    const made = await scim('POST', '/Users', user)
    expect(made.status).toBe(201)
    // Another session of the same person, and a token, each from another replica.
    const sessions: string[] = []
    for (const _ of each) {
      const { url, cookie } = await began(app, ann.orgId)
      const done = await came(app, idpId, cookie, await signInAt(url.href, 'nina'))
      sessions.push(done.data.tokens.accessToken)
    }
    const [first = ''] = sessions
    const asking = { kind: 'step-up', action: 'identity.pat.create' }
    const again = await began(app, ann.orgId, { body: asking, as: { accessToken: first } })
    const confirmation = await came(app, idpId, again.cookie, await signInAt(again.url.href, 'nina'))
    const headers = { 'x-step-up-token': confirmation.data.stepUpToken as string }
    const pat = await app.call('POST', '/auth/pats', { as: first, body: { name: 'ci' }, headers })
    const credentials = [...sessions, pat.data.token as string]
    for (const as of credentials) expect(await doors(as)).toEqual([true, true, true])
    const drafts = await Promise.all(each.map((replica) => drafting(replica, sessions[replica] ?? '')))
    const operations = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
    const path = `/Users/${made.body?.id}`
    expect((await scim('PATCH', path, { schemas, ...operations })).status).toBe(200)
    const deactivatedAtMs = Date.now()
    for (;;) {
      const open = (await Promise.all(credentials.map(doors))).flat()
      if (!open.includes(true)) break
      expect(Date.now() - deactivatedAtMs, 'a replica still lets the person in').toBeLessThan(WITHIN_MS)
      await sleep(50)
    }
    for (const ended of await Promise.all(drafts.map((draft) => draft.ended))) expect(ended).toContain('canceled')
    expect(Date.now() - deactivatedAtMs, 'a draft goes on').toBeLessThan(WITHIN_MS)
    const refused = await began(app, ann.orgId)
    const refusal = await came(app, idpId, refused.cookie, await signInAt(refused.url.href, 'nina'))
    expect(refusal.code).toBe('SSO_REFUSED')
    // An activation brings the membership back, and no credential of before.
    const active = { Operations: [{ op: 'replace', value: { active: true } }] }
    expect((await scim('PATCH', path, { schemas, ...active })).status).toBe(200)
    const back = await began(app, ann.orgId)
    const now = await came(app, idpId, back.cookie, await signInAt(back.url.href, 'nina'))
    expect(now.data.kind).toBe('session')
    for (const as of credentials) expect(await doors(as)).toEqual([false, false, false])
  })

  it('signs a person in while replicas are killed between its steps and the provider changes its key', async () => {
    const { url, cookie } = await began(app, ann.orgId)
    await replicas.restart(0)
    await fake.rotate()
    await replicas.restart(1)
    const back = await signInAt(url.href, 'olga')
    // What it knew of the key before would be good for a minute.
    await replicas.restart(2)
    const done = await came(app, idpId, cookie, back)
    expect(done.data?.kind).toBe('session')
    await replicas.restart(0)
    expect(await doors(done.data.tokens.accessToken)).toEqual([true, true, true])
    // What was used once is used, no matter which replica is asked.
    expect((await came(app, idpId, cookie, back)).code).toBe('SSO_REFUSED')
  }, 120_000)
})
