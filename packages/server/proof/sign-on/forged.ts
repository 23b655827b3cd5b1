/**
 * A provider that lies, in every flow that comes back from one: none of its tokens and answers is accepted, and none leaves an account,
 * a link or a session. That each flow accepts what is right is looked at first, or a refusal would prove nothing.
 */

import { credentialTables } from '../../src/identity/index.js'
import { identityTables } from '../../src/identity/tables.js'
import type { Store } from '../../src/runtime/store/db.js'
import { ssoTables } from '../../src/sso/tables.js'
import { FORGED_ADDRESSES, FORGED_TOKENS, type Forged } from '../../test/support/forged.js'
import { began, came, cookieIn, type HostileProvider, hostileProvider, withProvider } from '../../test/support/oidc.js'
import { enrol } from '../../test/support/organizations.js'
import { directoryOf } from '../../test/support/scim.js'
import { type Answer, type SignedIn, signUp, stepUp } from '../../test/support/sign-in.js'
import { type SsoApp, ssoApp } from '../../test/support/sso.js'

const DOMAIN = 'forged.test'
const PROGRAM = { kind: 'program', loopback: 'http://127.0.0.1:49152/x', challenge: 'c'.repeat(43) }

interface Lying {
  readonly app: SsoApp
  readonly provider: HostileProvider
  readonly admin: SignedIn
  readonly idpId: string
  /** A member with a password, and somebody who came by the provider. */
  readonly member: SignedIn
  confined: Pick<SignedIn, 'accessToken'>
}

interface Flow {
  readonly name: string
  /** Of the person at the provider. */
  readonly sub: string
  /** Whether the address decides who it is. */
  readonly isByAddress: boolean
  begin(lying: Lying): Promise<{ readonly url: URL; readonly cookie: string }>
}

/** A program begins, and a browser takes it up. */
async function taken({ app }: Lying, answer: Answer) {
  const ticket = new URL(answer.data.url).searchParams.get('ticket')
  const started = await app.call('POST', '/auth/sso/start', { body: { ticket } })
  return { url: new URL(started.data.url), cookie: cookieIn(started) }
}

const FLOWS: readonly Flow[] = [
  { name: 'a first sign-in', sub: 'new', isByAddress: true, begin: ({ app, admin }) => began(app, admin.orgId) },
  { name: 'a sign-in', sub: 'known', isByAddress: false, begin: ({ app, admin }) => began(app, admin.orgId) },
  {
    name: 'a first sign-in of a program',
    sub: 'new-by-program',
    isByAddress: true,
    begin: async (lying) =>
      taken(lying, await lying.app.call('POST', `/auth/sso/${lying.admin.orgId}/authorize`, { body: PROGRAM })),
  },
  {
    name: 'a proof for a session',
    sub: 'member',
    isByAddress: false,
    begin: async ({ app, admin, member }) =>
      began(app, admin.orgId, { as: member, headers: await stepUp(app, member) }),
  },
  {
    name: 'a confirmation',
    sub: 'known',
    isByAddress: false,
    begin: ({ app, admin, confined }) =>
      began(app, admin.orgId, { as: confined, body: { kind: 'step-up', action: 'identity.pat.create' } }),
  },
  {
    name: 'a test',
    sub: 'tester',
    isByAddress: true,
    begin: async (lying) =>
      taken(lying, await lying.app.call('POST', `/organization/${lying.admin.orgId}/idp/test`, { as: lying.admin })),
  },
]

async function answered(lying: Lying, flow: Flow, say: Forged[1]): Promise<Answer> {
  const { app, provider, idpId } = lying
  const { url, cookie } = await flow.begin(lying)
  provider.nonce = url.searchParams.get('nonce') ?? ''
  provider.email = `${flow.sub}@${DOMAIN}`
  provider.say = (asked) =>
    say({
      ...asked,
      sign: (claims, more) => asked.sign({ sub: flow.sub, auth_time: asked.nowS, ...claims }, more),
    })
  return came(app, idpId, cookie, { state: url.searchParams.get('state') ?? '', code: 'code', iss: provider.issuer })
}

const isAccepted = ({ status, data }: Answer): boolean => status === 200 && data?.wouldBe !== 'refused'

/** What a lie may not leave behind. */
const left = ({ app }: Lying): Promise<string> =>
  app.runtime.store.system.read(async (db) => {
    const { users, memberships } = identityTables(db)
    const { sessions, sessionProofs } = credentialTables(db)
    const { identityLinks } = ssoTables(db)
    const tables = [users, memberships, sessions, sessionProofs, identityLinks]
    return (await Promise.all(tables.map((table) => db.$count(table)))).join(' ')
  })

async function opened(store: Store): Promise<Lying> {
  const provider = await hostileProvider()
  const app = await ssoApp(store, { startMs: Date.now(), settings: { IDP_ALLOWED_ORIGINS: provider.issuer } })
  const { admin } = await directoryOf(app, 'forged', DOMAIN)
  const idpId = await withProvider(app, admin, provider.issuer, { jit: true })
  const member = await enrol(app, await signUp(app, 'forged-member'), admin.orgId)
  const lying = { app, provider, admin, idpId, member, confined: admin as Pick<SignedIn, 'accessToken'> }
  const known = FLOWS.find(({ name }) => name === 'a sign-in')
  if (known === undefined) throw new Error('no flow signs in')
  lying.confined = (await answered(lying, known, ({ sign }) => sign({}))).data.tokens
  return lying
}

/** So many lies, each kind in each flow before any comes again. @returns what was accepted. */
export async function forgedOver(store: Store, runs: number): Promise<string[]> {
  if (runs === 0) return []
  const lying = await opened(store)
  const failures: string[] = []
  for (const flow of FLOWS) {
    // A first sign-in stays one: the person of the check is somebody else.
    const first = flow.isByAddress ? { ...flow, sub: `right-${flow.sub}` } : flow
    const right = await answered(lying, first, ({ sign }) => sign({}))
    if (!isAccepted(right)) failures.push(`${flow.name} refuses what is right: ${JSON.stringify(right.body)}`)
  }
  const kinds = [
    ...FORGED_TOKENS.flatMap((forged) => FLOWS.map((flow) => ({ forged, flow }))),
    ...FORGED_ADDRESSES.flatMap((forged) =>
      FLOWS.filter(({ isByAddress }) => isByAddress).map((flow) => ({ forged, flow })),
    ),
  ]
  const before = await left(lying)
  for (let n = 0; n < runs; n++) {
    const { forged, flow } = kinds[n % kinds.length] as (typeof kinds)[number]
    const answer = await answered(lying, flow, forged[1])
    if (isAccepted(answer)) failures.push(`${flow.name} accepts ${forged[0]}: ${JSON.stringify(answer.body)}`)
    else if (answer.status >= 500) failures.push(`${flow.name} with ${forged[0]}: ${answer.status}`)
  }
  const after = await left(lying)
  if (before !== after) failures.push(`lies left something: ${before} became ${after}`)
  failures.push(...lying.app.errors.map(String))
  await lying.provider.close()
  return failures
}
