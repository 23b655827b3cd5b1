/** What reviewers found about pipelines, plugins, messages, lists and quotas. */

import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import type { Attack } from '../attacks/attacks.js'
import { colleague } from '../attacks/attacks.js'
import type { Answer, Target } from '../attacks/target.js'
import {
  asking,
  bossOf,
  confirming,
  criticalRule,
  DESCRIBED,
  ownerOf,
  PIPELINE,
  principalToken,
  statuses,
  until,
  upload,
} from './people.js'

/** A team of the owner's organization. @returns its id */
async function teamOf(ask: ReturnType<typeof asking>, parentOrgId: string, name: string): Promise<string> {
  const made = await ask('POST', '/organization', { name, parentOrgId })
  if (made.status !== 201) throw new Error(`team: ${made.status} ${JSON.stringify(made.data)}`)
  return made.data.organization.id
}

async function attach(target: Target, token: string, bytes: number): Promise<string> {
  const form = new FormData()
  form.set('file', new File(['a'.repeat(bytes)], 'note.txt', { type: 'text/plain' }))
  const headers = { authorization: `Bearer ${token}` }
  const answer = await target.fetch('/messages/attachments', { method: 'POST', headers, body: form })
  return ((await answer.json()) as { data: { attachment: { id: string } } }).data.attachment.id
}

export const RECORD_FINDINGS: readonly Attack[] = [
  {
    name: 'D2: the export of an organization as one JSON document',
    expects: '200, no key twice, 1 pipeline, its name in the file name',
    async run(target) {
      const owner = await ownerOf(target, 'd2')
      await asking(target, owner)('POST', '/pipelines', PIPELINE)
      const headers = { authorization: `Bearer ${owner.token}`, ...(await target.stepUp(owner)) }
      const answer = await target.fetch(`/organization/${owner.orgId}/export`, { headers })
      const text = await answer.text()
      const read = JSON.parse(text) as Record<string, unknown>
      // Sections begin at the first level: as many in the text as a parser keeps.
      let depth = 0
      let keys = 0
      for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/g)) {
        if (token === '{' || token === '[') depth += 1
        else if (token === '}' || token === ']') depth -= 1
        else if (token.endsWith(':') && depth === 1) keys += 1
      }
      const pipelines = read['pipelines'] as unknown[]
      const slug = (await asking(target, owner)('GET', `/organization/${owner.orgId}`)).data.organization.slug
      const isNamed = answer.headers.get('content-disposition')?.includes(`org-${slug}-export.json`)
      return `${answer.status}, ${keys === Object.keys(read).length ? 'no key twice' : `${keys} keys`}, ${pipelines?.length} pipeline, ${isNamed ? 'its name in the file name' : answer.headers.get('content-disposition')}`
    },
  },
  {
    name: 'D6: a message that the other side answered, deleted and restored',
    expects: '201, 201, 200, 200',
    async run(target) {
      const owner = await ownerOf(target, 'd6')
      const ask = asking(target, owner)
      const body = { recipientOrgId: 'support', subject: 'Help', content: 'It does not start' }
      const sent = await ask('POST', '/messages', body)
      const { id } = sent.data.message
      const boss = asking(target, await bossOf(target))
      const replied = await boss(
        'POST',
        `/messages/${id}/reply`,
        { content: 'Restart it' },
        { 'x-org-id': SYSTEM_ORG_ID },
      )
      const deleted = await ask('DELETE', `/messages/${id}`)
      const restored = await confirming(target, owner)('POST', `/messages/${id}/restore`)
      return statuses([sent, replied, deleted, restored])
    },
  },
  {
    name: 'D7: a Member and the pipelines of others',
    expects: '403, 403, 200, 200',
    async run(target) {
      const owner = await ownerOf(target, 'd7')
      const member = await colleague(target, owner, 'd7-member', [])
      const { id } = (await asking(target, owner)('POST', '/pipelines', PIPELINE)).data.pipeline
      const change = () =>
        asking(target, member)('PUT', `/pipelines/${id}`, { description: `by a member ${Date.now()}` })
      const answers = [await change(), await asking(target, member)('DELETE', `/pipelines/${id}`)]
      const body = { memberWriteScope: 'org' }
      answers.push(await asking(target, owner)('PATCH', `/organization/${owner.orgId}/settings`, body), await change())
      return statuses(answers)
    },
  },
  {
    name: 'D12: the operations of a scope, by a service principal',
    expects: '200, 200, 200',
    async run(target) {
      const owner = await ownerOf(target, 'd12')
      const as = await principalToken(target, owner, owner.orgId, ['pipelines:read'])
      return statuses([
        await target.call('GET', '/pipelines', { as }),
        await target.call('GET', '/pipelines/registry', { as }),
        await target.call('GET', '/pipeline-templates', { as }),
      ])
    },
  },
  {
    name: 'D13: offset, sortBy and sortOrder of every list that a reviewer asked',
    expects: '200, 200, 200, 400, 200, 200, 200, 200',
    async run(target) {
      const owner = await ownerOf(target, 'd13')
      const ask = asking(target, owner)
      return statuses([
        await ask('GET', '/audit?offset=-3'),
        await ask('GET', '/audit?offset=100000'),
        await ask('GET', '/audit?sortOrder=asc'),
        await ask('GET', '/audit?sortBy=zzz'),
        await ask('GET', '/pipelines/registry?sortBy=createdAt'),
        await ask('GET', '/compliance/subscriptions?sortBy=createdAt'),
        await ask('GET', `/organization/${owner.orgId}/members?sortBy=createdAt`),
        await ask('GET', '/pipelines/deleted?sortBy=createdAt'),
      ])
    },
  },
  {
    name: 'D21: the bytes of a message’s attachment when it is deleted',
    expects: '30000, then 0',
    async run(target) {
      const owner = await ownerOf(target, 'd21')
      const ask = asking(target, owner)
      const used = async () => {
        const { data } = await ask('GET', `/quotas/${owner.orgId}/storageBytes`)
        return (data.quota ?? data.status ?? data).used as number
      }
      const attachmentIds = [await attach(target, owner.token, 30_000)]
      const body = { recipientOrgId: 'support', subject: 'Log', content: 'The log', attachmentIds }
      const { id } = (await ask('POST', '/messages', body)).data.message
      const before = await used()
      await ask('DELETE', `/messages/${id}`)
      return `${before}, then ${await until(used, (bytes) => bytes === 0)}`
    },
  },
  {
    name: 'D22: a notified member who has left',
    expects: 'sent',
    async run(target) {
      const owner = await ownerOf(target, 'd22')
      const ask = asking(target, owner)
      const member = await colleague(target, owner, 'd22-member', [])
      const body = { targetUsers: [member.id], emailEnabled: true, digestMode: 'immediate' }
      const set = await ask('PUT', '/compliance/notification-preferences', body)
      if (set.status !== 200) return JSON.stringify(set.data)
      await ask('DELETE', `/organization/${owner.orgId}/members/${member.id}`)
      await criticalRule(ask, DESCRIBED)
      await ask('POST', '/pipelines', PIPELINE)
      const entry = await until(
        async () => {
          const { data } = await ask('GET', '/compliance/notification-log?channel=email')
          return (data.entries ?? data.notifications)?.[0] as { status: string; error?: string } | undefined
        },
        (each) => each !== undefined && each.status !== 'pending',
      )
      return entry?.status === 'sent' ? 'sent' : JSON.stringify(entry)
    },
  },
  {
    name: 'D24: a limit that an operator sets',
    expects: '200, 1 event',
    async run(target) {
      const owner = await ownerOf(target, 'd24')
      const boss = confirming(target, await bossOf(target))
      const set = await boss('PUT', `/quotas/${owner.orgId}`, { quotas: { plugins: 321 } })
      const events = await until(
        async () => (await asking(target, owner)('GET', '/audit?action=quota.limit.update')).data.events as object[],
        ({ length }) => length > 0,
      )
      return `${set.status}, ${events.length} event`
    },
  },
  {
    name: 'further: builds that wait, listed by their state alone',
    expects: '202, 1 listed',
    async run(target) {
      const owner = await ownerOf(target, 'f4')
      const status = await upload(target, owner, '1.0.0')
      const { data } = await asking(target, owner)('GET', '/plugins?buildStatus=queued')
      return `${status}, ${data.plugins.length} listed`
    },
  },
  {
    name: 'further: a day as a date, in both audits',
    expects: '200, 200',
    async run(target) {
      const ask = asking(target, await ownerOf(target, 'f5'))
      return statuses([
        await ask('GET', '/audit?dateFrom=2026-11-01'),
        await ask('GET', '/compliance/audit?dateFrom=2026-11-01'),
      ])
    },
  },
  {
    name: 'further: projects in the order of their names, whatever the case',
    expects: 'alpha, Beta, gamma',
    async run(target) {
      const ask = asking(target, await ownerOf(target, 'f6'))
      for (const project of ['gamma', 'Beta', 'alpha']) await ask('POST', '/pipelines', { ...PIPELINE, project })
      const { data } = await ask('GET', '/pipelines?sortBy=project&sortOrder=asc')
      return data.pipelines.map(({ project }: { project: string }) => project).join(', ')
    },
  },
  {
    name: 'bulk requests: an item that does not validate',
    expects: '200, 1 made, item 1: failed VALIDATION_ERROR; 400 for no list',
    async run(target) {
      const ask = asking(target, await ownerOf(target, 'bulk'))
      const pipelines = [PIPELINE, { ...PIPELINE, project: 7 }]
      const { status, data } = await ask('POST', '/pipelines/bulk/create', { pipelines })
      const items = data.items as { index: number; status: number | string; code?: string }[]
      const failed = items.find(({ code }) => code !== undefined)
      const whole = await ask('POST', '/pipelines/bulk/create', { pipelines: 'all' })
      return `${status}, ${items.length - 1} made, item ${failed?.index}: ${failed?.status} ${failed?.code}; ${whole.status} for no list`
    },
  },
  {
    name: '3.8, decided: a parameter that a list does not know is ignored, and a limit is clamped',
    expects: '200, 200',
    async run(target) {
      const ask = asking(target, await ownerOf(target, 'query'))
      return statuses([await ask('GET', '/pipelines?limti=5'), await ask('GET', '/pipelines?limit=-1')])
    },
  },
  {
    name: '3.8: examples of the documentation, sent as they stand there',
    expects: '201, 201, 201, 201, 201',
    async run(target) {
      const ask = asking(target, await ownerOf(target, 'examples'))
      const { paths } = (await ask('GET', '/openapi.json')).data
      const answers: Answer[] = []
      for (const path of [
        '/compliance/rules',
        '/pipelines',
        '/pipeline-templates',
        '/messages',
        '/compliance/policies',
      ]) {
        answers.push(await ask('POST', path, paths[path].post.requestBody.content['application/json'].example))
      }
      return statuses(answers)
    },
  },
  {
    name: '3.9: the first address of the banner, and the links of mails',
    expects: '200 text/html, 200 text/html, 200 text/html',
    async run(target) {
      const answers: string[] = []
      for (const path of ['/', '/reset-password?token=x', '/invite/accept?token=x']) {
        const { status, headers } = await fetch(`${target.url}${path}`)
        answers.push(`${status} ${headers.get('content-type')?.split(';')[0]}`)
      }
      return answers.join(', ')
    },
  },
  {
    name: '3.9: the id of a refused request, in the log',
    expects: 'found',
    async run(target) {
      const { status, headers } = await target.call('GET', '/pipelines')
      const id = headers.get('x-request-id') ?? 'no id'
      const isFound = () => target.log().includes(id)
      await until(
        async () => isFound(),
        (found) => found,
      )
      return status === 401 ? 'found' : String(status)
    },
  },
  {
    name: 'D5: somebody who leaves the root of an account',
    expects: '204; in the team 403 or 404; the owner holds it: 200',
    async run(target) {
      const owner = await ownerOf(target, 'd5')
      const leaver = await colleague(target, owner, 'd5-admin', [])
      await confirming(target, owner)('PATCH', `/organization/${owner.orgId}/members/${leaver.id}`, { role: 'admin' })
      const again = { ...leaver, token: (await target.signIn(leaver)).data.accessToken }
      const teamId = await teamOf(asking(target, again), owner.orgId, 'd5 team')
      const removed = await asking(target, owner)('DELETE', `/organization/${owner.orgId}/members/${leaver.id}`)
      const write = await asking(target, again)('POST', '/pipelines', PIPELINE, { 'x-org-id': teamId })
      const held = await asking(target, owner)('GET', `/organization/${teamId}/members`, undefined, {
        'x-org-id': teamId,
      })
      return `${removed.status}; in the team ${[401, 403, 404].includes(write.status) ? '403 or 404' : write.status}; the owner holds it: ${held.status}`
    },
  },
]
