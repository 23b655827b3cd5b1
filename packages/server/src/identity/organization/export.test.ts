/** An export is whole, holds no secret, and says when it ends. */
import { expect, it } from 'vitest'
import { confirmed, organizationApp } from '../../../test/organizations.js'
import { signUp } from '../../../test/sign-in.js'
import { sqliteStore } from '../../../test/stores.js'

it('exports every section without a secret, in both formats', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store)
  const ada = await signUp(app, 'ada')
  const bob = await signUp(app, 'bob')
  const path = `/organization/${ada.orgId}`
  await app.call('PUT', `${path}/secrets/DEPLOY_KEY`, { as: ada, body: { value: 'canary-value-7731' } })
  const made = await confirmed(app, 'POST', `${path}/service-principals`, {
    as: ada,
    body: { name: 'collector', scopes: ['reporting:ingest'] },
  })
  expect(made.data.clientSecret).toMatch(/^plk_/)
  const note = { email: 'x@plumbline.test', role: 'member', message: `keep ${made.data.clientSecret}` }
  const sent = await app.call('POST', '/invitation/send', { as: ada, body: note })
  const token = new URL(sent.data.acceptUrl).searchParams.get('token') ?? ''
  const named = `plk_${'a'.repeat(43)}`
  await app.call('POST', `${path}/roles`, {
    as: ada,
    body: { name: 'Odd', description: named, permissions: ['pipelines:read'] },
  })

  const get = async (query: string) => {
    const headers = { authorization: `Bearer ${ada.accessToken}` }
    const response = await app.http.request(`/api${path}/export${query}`, { headers })
    return { response, text: await response.text() }
  }
  const whole = await get('')
  const kindOf = ({ headers }: Response) => [headers.get('content-type'), headers.get('content-disposition')]
  expect(kindOf(whole.response)).toEqual(['application/json', 'attachment; filename="org-export.json"'])
  const document = JSON.parse(whole.text)
  expect(document).toMatchObject({ format: 'plumbline.org-export', version: 1, exportedBy: ada.userId, complete: true })
  expect(document.organization.id).toBe(ada.orgId)
  expect(document.members).toHaveLength(1)
  expect(document.roles).toHaveLength(3)
  expect(document.invitations).toHaveLength(1)
  expect(document.servicePrincipals).toHaveLength(1)
  expect(document.secretNames).toMatchObject([{ name: 'DEPLOY_KEY' }])
  const asLines = await get('?format=ndjson')
  expect(kindOf(asLines.response)).toEqual(['application/x-ndjson', 'attachment; filename="org-export.ndjson"'])
  const lines = asLines.text.trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ section: 'end', row: { rows: lines.length - 2 } })
  const some = JSON.parse((await get('?include=roles')).text)
  expect(Object.keys(some)).not.toContain('members')
  expect((await get('?include=passwords')).response.status).toBe(400)
  for (const secret of ['canary-value-7731', made.data.clientSecret, token, named, '$scrypt$', 'tokenHash']) {
    expect(whole.text).not.toContain(secret)
    expect(lines.join('\n')).not.toContain(secret)
  }
  expect((await app.call('GET', `${path}/export`, { as: bob })).status).toBe(404)
  const listed = await app.call('GET', `${path}/secrets`, { as: ada })
  expect(JSON.stringify(listed.body)).not.toContain('canary')
  expect(app.errors).toEqual([])
  await store.close()
})
