/** What reviewers found about people, organizations and their evidence. */

import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import type { Attack } from '../attacks/attacks.js'
import { asking, bossOf, confirming, ownerOf, PIPELINE, principalToken, raiseTier, statuses, until } from './people.js'

const atSystem = { 'x-org-id': SYSTEM_ORG_ID }

export const ACCOUNT_FINDINGS: readonly Attack[] = [
  {
    name: 'D8, D16: an impersonation and a change by an operator, in the trail of the organization',
    expects: '200, 200, 1 impersonation and 1 change by the system about it',
    async run(target) {
      const owner = await ownerOf(target, 'd8')
      const boss = confirming(target, await bossOf(target))
      const acting = await boss('POST', `/admin/impersonate/${owner.id}`, { reason: 'a question of support' }, atSystem)
      const at = `/organization/${owner.orgId}`
      const named = await boss('PUT', at, { description: 'Seen by the operator' })
      const found = async (action: string) => {
        const path = `/audit?action=${action}&orgId=${SYSTEM_ORG_ID}`
        const events = await until(
          async () => (await asking(target, owner)('GET', path)).data.events as { affectedOrgId: string }[],
          ({ length }) => length > 0,
        )
        return events.filter(({ affectedOrgId }) => affectedOrgId === owner.orgId).length
      }
      const [seen, changes] = [await found('admin.impersonate.start'), await found('org.update')]
      return `${statuses([acting, named])}, ${seen} impersonation and ${changes} change by the system about it`
    },
  },
  {
    name: 'D14: the name of the system, by create, rename and team, in any spelling',
    expects: '403, 403, 403, 403',
    async run(target) {
      const owner = await ownerOf(target, 'd14')
      const ask = confirming(target, owner)
      return statuses([
        await ask('POST', '/organization', { name: 'System' }),
        await ask('PATCH', `/organization/${owner.orgId}/identity`, { name: 'system' }),
        await ask('POST', '/organization', { name: 'SYSTEM', parentOrgId: owner.orgId }),
        await ask('POST', '/organization', { name: 'Ｓystem' }),
      ])
    },
  },
  {
    name: 'D19, Roles: an invitation accepted and a Role given, with the token in hand',
    expects: 'accepted 200, then 200; a Role 200, then 200',
    async run(target) {
      const owner = await ownerOf(target, 'd19')
      const guest = await ownerOf(target, 'd19-guest')
      await asking(target, owner)('POST', '/invitation/send', { email: 'd19-guest@plumbline.test' })
      const token = await target.mailedToken('d19-guest@plumbline.test', '/invite/accept')
      const accepted = await target.call('POST', '/invitation/accept', { as: guest, body: { token } })
      const me = await target.call('GET', '/auth/me', { as: guest })
      const at = `/organization/${owner.orgId}/members/${guest.id}`
      const raised = await confirming(target, owner)('PATCH', at, { role: 'admin' })
      const settings = { memberWriteScope: 'org' }
      const used = await asking(target, guest)('PATCH', `/organization/${owner.orgId}/settings`, settings, {
        'x-org-id': owner.orgId,
      })
      return `accepted ${accepted.status}, then ${me.status}; a Role ${raised.status}, then ${used.status}`
    },
  },
  {
    name: 'deletion: an owner who deletes the organization; further: a new one afterwards',
    expects: '403, 202, 201, 201',
    async run(target) {
      const owner = await ownerOf(target, 'gone')
      const boss = confirming(target, await bossOf(target))
      const at = `/organization/${owner.orgId}`
      const own = await confirming(target, owner)('DELETE', at)
      const deleted = await boss('DELETE', at)
      const again = { ...owner, token: (await target.signIn(owner)).data.accessToken ?? owner.token }
      const made = await target.call('POST', '/organization', { as: again, body: { name: 'Begun again' } })
      const orgId = made.data.organization?.id
      const token = (await target.signIn(owner)).data.accessToken
      const used = await asking(target, { ...owner, token, orgId })('POST', '/pipelines', PIPELINE)
      return statuses([own, deleted, made, used])
    },
  },
  {
    name: 'further: a feature that the tier does not have names what gives it',
    expects: '403 teams, some tiers',
    async run(target) {
      const owner = await ownerOf(target, 'f7')
      await raiseTier(target, owner.orgId, 'developer')
      const team = { name: 'f7 team', parentOrgId: owner.orgId }
      const { status, data } = await asking(target, owner)('POST', '/organization', team)
      const { requiredFeature, tiers } = data.details ?? {}
      return `${status} ${requiredFeature}, ${tiers?.length > 0 ? 'some tiers' : JSON.stringify(data)}`
    },
  },
  {
    name: 'ingest: events of a principal of an organization, and of the system without an organization',
    expects: '400 or 403, 403, 200',
    async run(target) {
      const owner = await ownerOf(target, 'ingest')
      const at = `/organization/${owner.orgId}/service-principals`
      const own = await confirming(target, owner)('POST', at, { name: 'emitter', scopes: ['audit:ingest'] })
      const as = await principalToken(target, await bossOf(target), SYSTEM_ORG_ID, ['audit:ingest'])
      const event = {
        action: 'registry.image.copy',
        targetType: 'subscription',
        targetId: 'sub-1',
        actorId: 'biller',
      }
      const send = (more: object) => target.call('POST', '/audit/events', { as, body: { ...event, ...more } })
      const [without, named] = [await send({}), await send({ orgId: owner.orgId })]
      const refused = own.status === 400 || own.status === 403 ? '400 or 403' : String(own.status)
      return `${refused}, ${without.status}, ${named.status}`
    },
  },
  {
    name: 'evidence D2: the checkpoints of an export',
    expects: '200, each once',
    async run(target) {
      const owner = await ownerOf(target, 'e2')
      const headers = { authorization: `Bearer ${owner.token}` }
      // Asked twice: the second one finds the checkpoint that the first one made.
      const exported = () => target.fetch('/audit/export', { headers })
      // Before the first event is sealed there is no log.
      await (await until(exported, ({ status }) => status === 200)).text()
      const answer = await exported()
      const text = await answer.text()
      const { checkpoints } = JSON.parse(text.split('\n')[0] ?? '') as { checkpoints: string[] }
      const isOnce = checkpoints.length > 0 && new Set(checkpoints).size === checkpoints.length
      return `${answer.status}, ${isOnce ? 'each once' : `${checkpoints.length} checkpoints`}`
    },
  },
]
