/** Goal: of decisions about one exemption that meet, one counts, and what is left is one state with the evidence of it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { buildWorld } from '../../../proof/world/world.js'
import { memberOf, noLatest, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import { postgresMissing } from '../../../test/support/stores.js'
import { worldCalls } from '../../../test/support/world-calls.js'

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

const missing = await postgresMissing()

describe.each([
  { engine: 'sqlite' as const, skip: false },
  { engine: 'postgres' as const, skip: missing !== null },
])('an exemption beside the deletion of its record on $engine', ({ engine, skip }) => {
  it.skipIf(skip)('waives that record as far as it was approved, and no other one', { timeout: 120_000 }, async () => {
    const world = await buildWorld(engine)
    const app = world.open()
    try {
      const owner = worldCalls(world, app, 'owner')
      const member = worldCalls(world, app, 'member')
      const synth = { source: { type: 'github', options: { repo: 'acme/app' } }, plugin: { name: 'build' } }
      const wanted = { project: 'Raced', organization: 'Acme', pipelineName: 'raced', props: { synth } }
      const remove = (id: string) => owner('DELETE', `/pipelines/${id}`)
      for (let round = 0; round < ROUNDS; round++) {
        const made = await owner('POST', '/pipelines', wanted)
        expect(made.status, made.text).toBeLessThan(300)
        const { id } = made.data.pipeline
        const strict = { target: 'pipeline', field: 'description', operator: 'notEmpty', severity: 'critical' }
        const rule = await owner('POST', '/compliance/rules', { ...strict, name: `raced ${round}` })
        const body = {
          ruleId: rule.data.rule.id,
          entityType: 'pipeline',
          entityId: id,
          reason: 'until the next release',
        }
        // Even rounds race the request, odd ones the approval.
        const isAsked = round % 2 === 0
        const asked = isAsked ? null : await member('POST', '/compliance/exemptions', body)
        const [decided, gone] = await Promise.all([
          isAsked
            ? member('POST', '/compliance/exemptions', body)
            : owner('PUT', `/compliance/exemptions/${asked?.data.exemption.id}/review`, { status: 'approved' }),
          remove(id),
        ])
        expect(gone.status, gone.text).toBe(200)
        expect(isAsked ? [201, 404] : [200, 404, 409], decided.text).toContain(decided.status)
        const { exemptions } = (await owner('GET', `/compliance/exemptions?ruleId=${body.ruleId}`)).data
        const states = exemptions.map(({ status }: { status: string }) => status)
        expect(states).toEqual(
          isAsked && decided.status !== 201 ? [] : [decided.status === 200 ? 'approved' : 'pending'],
        )
        // Another record of the same name is judged; the one of the same key lives again under its id, with what was approved.
        const other = await owner('POST', '/pipelines', { ...wanted, project: `Other ${round}`, pipelineName: 'raced' })
        expect([other.status, other.data.code], other.text).toEqual([403, 'COMPLIANCE_VIOLATION'])
        const again = await owner('POST', '/pipelines', wanted)
        const isWaived = states[0] === 'approved'
        expect([again.status, again.data.pipeline?.id], again.text).toEqual(isWaived ? [200, id] : [403, undefined])
        expect((await owner('DELETE', `/compliance/rules/${body.ruleId}`)).status).toBe(200)
      }
    } finally {
      await app.close()
      await world.close()
    }
  })
})
