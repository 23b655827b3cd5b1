/**
 * Goal: of concurrent decisions about one exemption, one counts, and what remains is one state with its audit event.
 */
import { beforeAll, expect, it } from 'vitest'
import { memberOf, noLatest, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'

const ROUNDS = 8

await describeCompliance('races about exemptions', { stores: ['SQLite', 'PostgreSQL'] }, (kit) => {
  let [ada, amy, reader] = [] as unknown as [SignedIn, SignedIn, SignedIn]
  let entity = 0
  let ruleId = ''
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    amy = await memberOf(kit, ada, 'amy', ['Member', 'Admin'])
    reader = await memberOf(kit, ada, 'reader', ['Member'])
    ruleId = (await kit.call(ada, 'POST', '/rules', noLatest('raced'))).data.rule.id
  })
  const wanted = (n: number) => ({
    ruleId,
    entityType: 'plugin',
    entityId: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    reason: 'until the next release',
  })
  const asked = async () =>
    (await kit.call(reader, 'POST', '/exemptions', wanted(++entity))).data.exemption.id as string
  const review = (as: SignedIn, id: string, status = 'approved') =>
    kit.call(as, 'PUT', `/exemptions/${id}/review`, { status })
  const revoke = (as: SignedIn, id: string) => kit.call(as, 'DELETE', `/exemptions/${id}`)
  const stateOf = async (id: string) => {
    const { exemptions } = (await kit.call(ada, 'GET', '/exemptions?limit=1000')).data
    return exemptions.find((each: { id: string }) => each.id === id)
  }
  const actionsOn = async (id: string) =>
    (await evidence(kit.app))
      .filter(({ targetId }) => targetId === id)
      .map(({ action }) => action.replace('compliance.exemption.', ''))
  const isBlocked = async (n: number) => {
    const body = { attributes: { version: 'latest' }, entityId: wanted(n).entityId }
    return (await kit.call(ada, 'POST', '/validate/plugin/dry-run', body)).data.blocked
  }

  it('two approvals and a rejection: one is done, the others are told', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await asked()
      const answers = await Promise.all([review(ada, id), review(amy, id), review(ada, id, 'rejected')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      const done = answers.find(({ status }) => status === 200)?.data.exemption
      const left = await stateOf(id)
      expect([left.status, left.reviewedBy]).toEqual([done.status, done.reviewedBy])
      expect(await actionsOn(id)).toEqual(['request', done.status === 'approved' ? 'approve' : 'reject'])
      expect(await isBlocked(entity)).toBe(done.status !== 'approved')
    }
  })

  it('an approval and a revocation: nothing that was revoked waives', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await asked()
      const [approved, revoked] = await Promise.all([review(ada, id), revoke(amy, id)])
      const { status } = await stateOf(id)
      if (revoked.status === 200) expect(status).toBe('revoked')
      else expect([revoked.status, approved.status, status]).toEqual([409, 200, 'approved'])
      expect(await isBlocked(entity)).toBe(status !== 'approved')
      const told = await actionsOn(id)
      expect(told.filter((action) => action === 'revoke')).toHaveLength(status === 'revoked' ? 1 : 0)
      expect(told.includes('approve')).toBe(approved.status === 200)
    }
  })

  it('the same request many times at once: one is open', async () => {
    const n = ++entity
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => kit.call(at % 2 === 0 ? ada : reader, 'POST', '/exemptions', wanted(n))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    const bulk = await kit.call(amy, 'POST', '/exemptions/bulk', { exemptions: [wanted(n)] })
    expect(bulk.data).toMatchObject({ created: 0, skipped: 1, failed: 0 })
  })

  it('a request and an approval while the rule is deleted: nothing stays open for a rule that is gone', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = (await kit.call(ada, 'POST', '/rules', noLatest(`going ${round}`))).data.rule
      const body = (n: number) => ({ ...wanted(n), ruleId: id })
      const first = (await kit.call(reader, 'POST', '/exemptions', body(++entity))).data.exemption
      const [gone, approved, late] = await Promise.all([
        kit.call(ada, 'DELETE', `/rules/${id}`),
        review(amy, first.id),
        kit.call(reader, 'POST', '/exemptions', body(++entity)),
      ])
      expect(gone.status).toBe(200)
      expect([200, 404, 409]).toContain(approved.status)
      expect([201, 404, 409]).toContain(late.status)
      const { exemptions } = (await kit.call(ada, 'GET', `/exemptions?ruleId=${id}&limit=1000`)).data
      const left = exemptions.map(({ status }: { status: string }) => status)
      expect(left.filter((status: string) => status === 'pending' || status === 'approved')).toEqual([])
    }
  })
})
