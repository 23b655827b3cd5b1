/** What the server says of a request is said of what a user wrote. */
import { ApiError } from '@plumbline/client'
import { expect, it } from 'vitest'
import { refusalError, spoken } from './refusal.js'

it.each([
  ['/body/props/synth: is required', 'props.synth: is required'],
  ['/query/limit: must be an integer', 'limit: must be an integer'],
  ['/path/reference: is neither a tag nor a digest', 'reference: is neither a tag nor a digest'],
  ['see `/path/name`', 'see `name`'],
  [
    'a 1.0.0 is there: choose another version, or send `?replace=true`',
    'a 1.0.0 is there: name another version in the prompt',
  ],
  ['upload a new version, or send `?replace=true`', 'upload a new version, or give `--replace`'],
  ['the file /srv/path/name is missing', 'the file /srv/path/name is missing'],
])('%s is said as %s', (text, said) => {
  expect(spoken(text)).toBe(said)
})

it('names the argument of a request that the server cannot read', () => {
  const issues = ['name', 'reference'].map((path) => ({ path: `/path/${path}`, message: 'is wrong' }))
  const body = { code: 'VALIDATION_ERROR', message: '/path/name: is wrong', details: { issues } }
  const error = new ApiError(new Response(null, { status: 400 }), body)
  const { message, details } = refusalError(error)
  expect([message, details]).toEqual(['name: is wrong (VALIDATION_ERROR)', ['name: is wrong', 'reference: is wrong']])
})

const refused = (message: string, details: Record<string, unknown>) =>
  refusalError(
    new ApiError(new Response(null, { status: 403 }), { code: 'INSUFFICIENT_PERMISSIONS', message, details }),
  )

it('a missing right is hinted at with who can give it, and with nobody where no role has it', () => {
  const required = ['members:manage']
  expect(refused('this needs the permission members:manage', { reason: 'permission', required }).hint).toContain(
    'grant',
  )
  const needsSignIn = 'this needs a sign-in: a personal access token or an impersonation cannot do it'
  expect(refused(needsSignIn, { reason: 'permission', required: [] }).hint).toContain('plumbline login')
  for (const reason of ['system-admin', 'scope', 'service', 'ceiling', 'feature', 'owner']) {
    expect(refused('this is not for you', { reason }).hint).toBeUndefined()
  }
})

it('of an organization that requires its own sign-on names the command of that sign-on', () => {
  const details = { organizationId: 'acme', authorizePath: '/auth/sso/acme/authorize' }
  const message = 'the organization requires its single sign-on: start at `details.authorizePath`'
  const error = refusalError(
    new ApiError(new Response(null, { status: 401 }), { code: 'SSO_REQUIRED', message, details }),
  )
  expect([error.message, error.details, error.hint]).toEqual([
    'the organization requires its single sign-on (SSO_REQUIRED)',
    [],
    'run `plumbline login --sso acme`',
  ])
})

it('names the command that lists organizations where one is not found', () => {
  const message =
    'Organization not found: it does not exist, or you are not a member of it: `GET /auth/me` lists your organizations'
  const error = new ApiError(new Response(null, { status: 404 }), { code: 'NOT_FOUND', message, details: {} })
  const said = refusalError(error)
  expect(said.message).toBe('Organization not found: it does not exist, or you are not a member of it (NOT_FOUND)')
  expect(said.hint).toBe('run `plumbline orgs --json` for the ids of your organizations')
})
