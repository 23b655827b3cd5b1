/** Guarantee: a dry run answers and refuses as the change itself, and leaves every table of the database as it was. */
import { beforeAll, expect, it } from 'vitest'
import { noLatest, signUp } from './support/compliance.js'
import { describeCompliance } from './support/describe-compliance.js'
import { BOTH_DATABASES } from './support/describe-stores.js'
import { everyRow } from './support/every-row.js'
import type { Answer, SignedIn } from './support/sign-in.js'

/** What an answer says, without what differs from one write to the next. */
const said = ({ status, body }: Answer): unknown =>
  JSON.parse(
    JSON.stringify({ status, body }, (key, value) =>
      ['id', 'requestId', 'createdAt', 'updatedAt', 'forkedFromRuleId'].includes(key) ? null : value,
    ),
  )

await describeCompliance('a dry run', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let rule: { id: string; name: string }
  let policy: { id: string }
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    rule = (await kit.call(ada, 'POST', '/rules', noLatest('first'))).data.rule
    policy = (await kit.call(ada, 'POST', '/policies', { name: 'baseline', rules: ['first'] })).data.policy
  })
  /** Tries a change, then makes it. */
  async function both(method: string, path: string, body: object): Promise<Answer> {
    const before = await everyRow(kit.store)
    const tried = await kit.call(ada, method, `${path}?dryRun=true`, body)
    expect(await everyRow(kit.store)).toEqual(before)
    const done = await kit.call(ada, method, path, body)
    expect(said(tried)).toEqual(said(done))
    expect(tried.headers.get('etag')).toBeNull()
    return done
  }

  it('of a new rule says what the server adds to it, or why it refuses it', async () => {
    expect((await both('POST', '/rules', noLatest('second', { policyId: policy.id }))).status).toBe(201)
    expect((await both('POST', '/rules', noLatest('second'))).code).toBe('DUPLICATE_ENTRY')
    const wrong = { ...noLatest('third'), operator: 'regex', value: '(' }
    expect((await both('POST', '/rules', wrong)).status).toBe(400)
    const unknown = { name: 'fourth', target: 'plugin', conditions: [{ dependsOnRule: 'nobody' }] }
    expect((await both('POST', '/rules', unknown)).status).toBe(400)
  })

  it('of a changed rule compares the revision and asks for the reason', async () => {
    expect((await both('PUT', `/rules/${rule.id}`, { mode: 'observe' })).status).toBe(400)
    expect((await both('PUT', `/rules/${rule.id}`, { name: 'second' })).code).toBe('DUPLICATE_ENTRY')
    expect((await both('PUT', `/rules/${rule.id}`, { severity: 'warning' })).data.rule.version).toBe(2)
    const stale = { headers: { 'if-match': '"1.x"' } }
    const path = `/rules/${rule.id}?dryRun=true`
    expect((await kit.call(ada, 'PUT', path, { severity: 'error' }, stale)).code).toBe('PRECONDITION_FAILED')
  })

  it('of a policy says which rules it would list, or which one is missing', async () => {
    expect((await both('POST', '/policies', { name: 'wide', rules: ['first', 'second'] })).status).toBe(201)
    expect((await both('POST', '/policies', { name: 'wide' })).code).toBe('DUPLICATE_ENTRY')
    expect((await both('POST', '/policies', { name: 'none', rules: ['nobody'] })).status).toBe(400)
    expect((await both('PUT', `/policies/${policy.id}`, { rules: ['second'] })).data.policy.revision).toBe(2)
  })

  it('takes no Idempotency-Key, and a change after it may use the same', async () => {
    const headers = { headers: { 'idempotency-key': 'one-key' } }
    const before = await everyRow(kit.store)
    const tried = await kit.call(ada, 'POST', '/rules?dryRun=true', noLatest('keyed'), headers)
    expect(tried.status).toBe(201)
    expect(await everyRow(kit.store)).toEqual(before)
    const done = await kit.call(ada, 'POST', '/rules', noLatest('keyed'), headers)
    expect(done.status).toBe(201)
    const path = `/rules/${done.data.rule.id}`
    expect((await kit.call(ada, 'GET', path)).data.rule.name).toBe('keyed')
  })

  it('needs the rights of the change, and a value that is a boolean', async () => {
    const stranger = { ...(await signUp(kit.app, 'stranger')), orgId: ada.orgId }
    expect((await kit.call(stranger, 'POST', '/rules?dryRun=true', noLatest('theirs'))).status).toBe(403)
    const odd = await kit.call(ada, 'POST', '/rules?dryRun=perhaps', noLatest('odd'))
    expect(odd).toMatchObject({ status: 400, body: { details: { issues: [{ path: '/query/dryRun' }] } } })
    expect((await kit.call(ada, 'POST', '/rules?dryRun=false', noLatest('kept'))).status).toBe(201)
    expect((await kit.call(ada, 'GET', '/rules?name=kept')).data.rules).toHaveLength(1)
  })
})
