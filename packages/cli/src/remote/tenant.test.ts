/** The organization of a command, and what is said where the session opens none. */
import { createClient } from '@plumbline/client'
import { expect, it } from 'vitest'
import type { Session } from './session.js'
import { tenantOf } from './tenant.js'

const sessionOf = (answers: Readonly<Record<string, [status: number, body: object]>>): Session => {
  const fetch = async ({ url }: Request) => {
    const [status, body] = answers[new URL(url).pathname] ?? [404, {}]
    return Response.json(body, { status })
  }
  return { client: createClient({ url: 'http://127.0.0.1', fetch }) } as Session
}

it('is the one of the session', async () => {
  const organization = { id: '1', slug: 'acme' }
  const session = sessionOf({ '/api/auth/me': [200, { data: { organization } }] })
  expect(await tenantOf(session)).toEqual(organization)
})

it('is refused with the reason of the server while a session opens none', async () => {
  const session = sessionOf({
    '/api/auth/me': [200, { data: { organization: null } }],
    '/api/organization': [401, { code: 'SSO_REQUIRED', message: 'the organization requires its single sign-on' }],
  })
  await expect(tenantOf(session)).rejects.toMatchObject({ code: 'SSO_REQUIRED' })
})
