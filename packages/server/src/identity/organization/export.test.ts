/** An export is complete, holds no secret, and marks its end. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  confirmed,
  enrol,
  giveCustomRole,
  organizationApp,
  signInAgain,
  stepUp,
} from '../../../test/support/organizations.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { DAY_MS } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { DomainRegistration } from '../../runtime/operation/registration.js'
import { identityTables } from '../tables.js'

const memberPath = ({ orgId }: SignedIn, userId: string) => `/organization/${orgId}/members/${userId}`

/** Takes every Role but one that reads no section. */
async function giveRoleAlone(app: IdentityApp, orgId: string, userId: string): Promise<void> {
  await app.runtime.store.system.write(async (tx) => {
    const { roleAssignments: t } = identityTables(tx)
    await tx.delete(t).where(eq(t.userId, userId))
  })
  await giveCustomRole(app, orgId, userId, ['org:settings'])
}

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
    const headers = { authorization: `Bearer ${ada.accessToken}`, ...(await stepUp(app, ada)) }
    const response = await app.http.request(`/api${path}/export${query}`, { headers })
    return { response, text: await response.text() }
  }
  const whole = await get('')
  const kindOf = ({ headers }: Response) => [headers.get('content-type'), headers.get('content-disposition')]
  expect(kindOf(whole.response)).toEqual(['application/json', 'attachment; filename="org-ada-org-export.json"'])
  const document = JSON.parse(whole.text)
  expect(document).toMatchObject({ format: 'plumbline.org-export', version: 1, exportedBy: ada.userId, complete: true })
  expect(document.organization.id).toBe(ada.orgId)
  expect(document.members).toHaveLength(1)
  expect(document.roles).toHaveLength(3)
  expect(document.invitations).toHaveLength(1)
  expect(document.servicePrincipals).toHaveLength(1)
  expect(document.secretNames).toMatchObject([{ name: 'DEPLOY_KEY' }])
  const asLines = await get('?format=ndjson')
  expect(kindOf(asLines.response)).toEqual(['application/x-ndjson', 'attachment; filename="org-ada-org-export.ndjson"'])
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
  expect((await app.call('GET', `${path}/export`, { as: ada })).code).toBe('STEP_UP_REQUIRED')
  const listed = await app.call('GET', `${path}/secrets`, { as: ada })
  expect(JSON.stringify(listed.body)).not.toContain('canary')
  expect(app.errors).toEqual([])
  await store.close()
})

const DOMAIN = {
  purge: async () => 0,
  erase: async () => undefined,
  usage: {},
  async *blobs() {},
}

/** Sections with conflicting names, and their rows. */
const sectionsArbitrary = fc.uniqueArray(
  fc.record({
    section: fc.constantFrom('a', 'a.b', 'a.c', 'b', 'b.a', 'c.a', 'c.b', 'd.a', 'd', 'a.b.c', 'e.x', 'e.y'),
    rows: fc.array(fc.record({ n: fc.integer(), text: fc.string() }), { maxLength: 3 }),
  }),
  { selector: ({ section }) => section, maxLength: 12 },
)

const domainOf = (
  all: readonly { readonly section: string; readonly rows: readonly object[] }[],
): DomainRegistration => ({
  ...DOMAIN,
  name: 'made',
  exportSections: all.map(({ section }) => section),
  exportReads: Object.fromEntries(all.map(({ section }) => [section, 'org:settings' as const])),
  async *exportRows(_read, _orgId, wanted) {
    for (const { section, rows } of all) {
      if (wanted.has(section)) for (const row of rows) yield { section, row: { ...row } }
    }
  },
})

it('holds the same records as one document and as lines, whatever the sections are called', async () => {
  const store = await sqliteStore()
  let sections: Parameters<typeof domainOf>[0] = []
  const made = { ...domainOf([]) }
  const app = await organizationApp(store, { domains: [made] })
  const ada = await signUp(app, 'ada')
  const get = async (format: string) => {
    const headers = { authorization: `Bearer ${ada.accessToken}`, ...(await stepUp(app, ada)) }
    const answer = await app.http.request(`/api/organization/${ada.orgId}/export?format=${format}`, { headers })
    return answer.text()
  }
  await fc.assert(
    fc.asyncProperty(sectionsArbitrary, async (all) => {
      sections = all
      Object.assign(made, domainOf(sections))
      const document = JSON.parse(await get('json'))
      const lines = (await get('ndjson')).trimEnd().split('\n').slice(1, -1)
      const found = sections.map(({ section }) => {
        const [group = '', ...rest] = section.split('.')
        return document[section] ?? document[group]?.[rest.join('.')]
      })
      expect(found).toEqual(sections.map(({ rows }) => rows))
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        sections.flatMap(({ section, rows }) => rows.map((row) => ({ section, row }))),
      )
    }),
    { numRuns: 25 },
  )
  await store.close()
})

it('leaves out what the caller may not read, and names it', async () => {
  const store = await sqliteStore()
  const rows = [{ n: 1 }]
  const reads = { open: 'org:settings', letters: 'messages:read', trail: 'audit:read' } as const
  const made = { ...domainOf(Object.keys(reads).map((section) => ({ section, rows }))), exportReads: reads }
  const app = await organizationApp(store, { domains: [made] })
  const ada = await signUp(app, 'ada')
  const clerk = await enrol(app, await signUp(app, 'clerk'), ada.orgId, [])
  await giveCustomRole(app, ada.orgId, clerk.userId, ['org:settings', 'audit:read'])
  const as = await signInAgain(app, clerk)
  const answer = await app.http.request(`/api/organization/${ada.orgId}/export`, {
    headers: { authorization: `Bearer ${as.accessToken}`, ...(await stepUp(app, as)) },
  })
  const document = JSON.parse(await answer.text())
  expect(document).toMatchObject({ open: rows, trail: rows, complete: true })
  expect(document).not.toHaveProperty('letters')
  expect(document.leftOut).toEqual([{ section: 'letters', permission: 'messages:read' }])
  await store.close()
})

it.each<[string, boolean, (app: IdentityApp, owner: SignedIn, reader: SignedIn) => Promise<unknown>]>([
  ['the membership', false, (app, as, { userId }) => confirmed(app, 'DELETE', memberPath(as, userId), { as })],
  ['the session', false, (app, _, as) => app.call('POST', '/auth/logout', { as, body: {} })],
  ['the permission of a section', false, (app, { orgId }, { userId }) => giveRoleAlone(app, orgId, userId)],
  ['the token by its age', true, async (app) => app.clock.set(app.clock.now() + DAY_MS)],
])('ends with %s, complete: %s', async (_what, isComplete, end) => {
  const store = await sqliteStore()
  const rows = Array.from({ length: 20 }, (_, n) => ({ n }))
  const made = { ...domainOf([{ section: 'trail', rows }]), exportReads: { trail: 'audit:read' } as const }
  const app = await organizationApp(store, { domains: [made] })
  const ada = await signUp(app, 'ada')
  const clerk = await enrol(app, await signUp(app, 'clerk'), ada.orgId, [])
  await giveCustomRole(app, ada.orgId, clerk.userId, ['org:settings', 'audit:read'])
  const as = await signInAgain(app, clerk)
  const answer = await app.http.request(`/api/organization/${ada.orgId}/export`, {
    headers: { authorization: `Bearer ${as.accessToken}`, ...(await stepUp(app, as)) },
  })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const first = await reader.read()
  await end(app, ada, as)
  app.clock.set(app.clock.now() + 3000)
  const decoder = new TextDecoder()
  let text = decoder.decode(first.value)
  const rest = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += decoder.decode(next.value)
  }
  if (isComplete) await rest()
  else await expect(rest()).rejects.toBeInstanceOf(Refusal)
  expect(text.includes('"complete":true')).toBe(isComplete)
  // What was produced before somebody asked is one piece.
  if (!isComplete) expect(text).not.toContain('"n":2')
  await store.close()
})
