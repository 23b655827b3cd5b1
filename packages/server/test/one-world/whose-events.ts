/** Goal: what an operator does to an organization and its people is found by the organization, and filed under the operator. */
import { expect, it } from 'vitest'
import type { World } from '../../proof/world/model.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { confirmed, worldCalls } from '../support/world-calls.js'

export function whoseEvents(given: () => World): void {
  it('has the events of an operator in the trail of both, by action and by organization', async () => {
    const world = given()
    const app = world.open()
    try {
      const id = world.organizations[0]?.id ?? ''
      const personId = world.principals.find(({ kind, home }) => kind === 'member' && home === 0)?.self
      const operator = worldCalls(world, app, 'super admin')
      const owner = worldCalls(world, app, 'owner')
      const atSystem = { 'x-org-id': SYSTEM_ORG_ID }
      const found = async (by: typeof owner, query: string, headers = {}) => {
        const { status, data, text } = await by('GET', `/audit?limit=100&${query}`, undefined, headers)
        expect(status, text).toBe(200)
        return data.events as { action: string; orgId: string; affectedOrgId: string; targetId: string }[]
      }

      const named = await operator('PUT', `/organization/${id}`, { description: 'Seen by the operator' })
      expect(named.status, named.text).toBe(200)
      const reason = { reason: 'a question of support' }
      const acting = await operator('POST', `/admin/impersonate/${personId}`, reason, await confirmed(operator))
      expect(acting.status, acting.text).toBe(200)
      const limits = await operator('PUT', `/quotas/${id}`, { quotas: { plugins: 321 } }, await confirmed(operator))
      expect(limits.status, limits.text).toBe(200)

      for (const [action, target] of [
        ['org.update', id],
        ['admin.impersonate.start', personId],
        ['quota.limit.update', undefined],
      ] as const) {
        const theirs = await found(owner, `action=${action}&orgId=${SYSTEM_ORG_ID}`)
        expect(theirs, action).not.toEqual([])
        for (const event of theirs) expect(event).toMatchObject({ action, orgId: SYSTEM_ORG_ID, affectedOrgId: id })
        if (target !== undefined) expect(theirs.map(({ targetId }) => targetId)).toContain(target)
        const ours = await found(operator, `action=${action}&orgId=${SYSTEM_ORG_ID}&affectedOrgId=${id}`, atSystem)
        expect(ours.length, action).toBe(theirs.length)
      }
    } finally {
      await app.close()
    }
  })
}
