/** What a program does with the API, step by step. Fails if an answer is not the expected one. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ApiError, createClient, retrying, unwrap } from '@plumbline/client'
import { startDemoServer } from './demo-server.js'

const server = await startDemoServer()
const { url, token, password } = server
try {
  // 1. A client with a token. It retries requests that are safe to repeat.
  const client = createClient({ url, token, fetch: retrying() })
  const me = await unwrap(client.GET('/auth/me'))
  assert.ok(me.organization)
  const { id } = me.organization
  console.log(`${me.user.username} is ${me.organization.role} of ${me.organization.slug}`)

  // 2. A list, page by page.
  const usernames: string[] = []
  for (let offset = 0, more = true; more; offset = usernames.length) {
    const page = await unwrap(
      client.GET('/organization/{id}/members', {
        params: { path: { id }, query: { limit: 2, offset, sortBy: 'username', sortOrder: 'asc' } },
      }),
    )
    usernames.push(...page.members.map(({ username }) => username))
    more = page.pagination.hasMore
  }
  assert.deepEqual(usernames, ['demo-admin', 'demo-member', 'demo-owner'])
  console.log(`members: ${usernames.join(', ')}`)

  // 3. A command that may be sent again: the second answer equals the first, and only one role exists.
  const createRole = (by: typeof client, key: string) =>
    unwrap(
      by.POST('/organization/{id}/roles', {
        params: { path: { id }, header: { 'idempotency-key': key } },
        body: { name: 'Auditor', description: 'Reads the evidence', permissions: ['audit:read'] },
      }),
    )
  const key = randomUUID()
  const { role } = await createRole(client, key)
  assert.equal((await createRole(client, key)).role.id, role.id)
  console.log(`role ${role.name} made once`)

  // 4. A refusal is an error with a stable code.
  const anonymous = createClient({ url })
  const session = await unwrap(anonymous.POST('/auth/login', { body: { identifier: 'demo-member', password } }))
  assert.ok(session.accessToken !== undefined)
  const member = createClient({ url, token: session.accessToken })
  const refusal = await createRole(member, randomUUID()).catch((error: unknown) => error)
  assert.ok(refusal instanceof ApiError)
  assert.deepEqual([refusal.status, refusal.code], [403, 'INSUFFICIENT_PERMISSIONS'])
  console.log(`demo-member may not: ${refusal.code}`)

  // 5. Two people edit the same record. The server refuses the second save.
  const read = await client.GET('/organization/{id}', { params: { path: { id } } })
  const ifMatch = read.response.headers.get('etag') ?? ''
  const describe = (description: string) =>
    unwrap(
      client.PATCH('/organization/{id}/identity', {
        params: { path: { id }, header: { 'if-match': ifMatch } },
        body: { description },
      }),
    )
  await describe('Ours')
  const conflict = await describe('No, ours').catch((error: unknown) => error)
  assert.ok(conflict instanceof ApiError)
  assert.equal(conflict.status, 412)
  console.log(`the second edit is refused: ${conflict.code}`)

  // 6. All of this left evidence, which is sealed shortly after each change.
  const actions = await eventsWith(['org.role.create', 'user.login', 'authz.denied', 'org.update'])
  const report = await unwrap(client.GET('/audit/verify'))
  console.log(`evidence: ${actions.join(', ')}; the chain is ${report.verdict}`)
  assert.equal(report.verdict, 'valid')

  /** The newest actions, as soon as the wanted ones are among them and sealed. */
  async function eventsWith(wanted: readonly string[]): Promise<string[]> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { events } = await unwrap(client.GET('/audit', { params: { query: { limit: 50 } } }))
      const sealed = events.filter(({ seq, actorId }) => seq !== null && actorId !== 'system')
      const found = sealed.map(({ action }) => action)
      if (wanted.every((action) => found.includes(action))) return found
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`${wanted.join(', ')}: not all of them were sealed in time`)
  }
} finally {
  await server.stop()
}
