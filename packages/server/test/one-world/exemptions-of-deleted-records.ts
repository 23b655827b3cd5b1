/** Goal: an exemption that is asked for or approved while its record is deleted waives what was approved, and nothing else. */
import { expect, it } from 'vitest'
import type { World } from '../../proof/world/model.js'
import { worldCalls } from '../support/world-calls.js'

const ROUNDS = 8

export function exemptionsOfDeletedRecords(given: () => World): void {
  it('waives a record that is deleted beside it as far as it was approved, and no other one', async () => {
    const world = given()
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
    }
  })
}
