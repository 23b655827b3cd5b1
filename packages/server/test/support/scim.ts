/** A directory in front of the real HTTP layer: an organization with a provider, a proved domain and a token. */
import { confirmed } from './organizations.js'
import { type Answer, type SignedIn, signUp, verifyAddress } from './sign-in.js'
import { provenDomain, type SsoApp } from './sso.js'

export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export interface ScimAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
  readonly body: any
  readonly type: string | null
}

export interface Directory {
  readonly admin: SignedIn
  readonly orgId: string
  readonly idpId: string
  readonly token: string
  call(method: string, path: string, body?: unknown, token?: string): Promise<ScimAnswer>
  user(name: string, more?: object): Promise<ScimAnswer>
  group(displayName: string, members?: readonly string[]): Promise<ScimAnswer>
  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer>
}

export async function directoryOf(app: SsoApp, name: string, domain: string): Promise<Directory> {
  const admin = await signUp(app, name)
  await verifyAddress(app, admin.userId)
  await provenDomain(app, admin, domain)
  const { orgId } = admin
  const body = { issuer: `https://login.${domain}`, clientId: 'plumbline', groupsClaim: 'groups' }
  const idp = await confirmed(app, 'PUT', `/organization/${orgId}/idp`, { as: admin, body })
  const idpId = idp.data.provider.id
  const made = await newToken(app, admin)
  const { token } = made.data
  const call: Directory['call'] = async (method, path, sent, by = token) => {
    const answer = await app.http.request(`/api/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${by}`,
        ...(sent === undefined ? {} : { 'content-type': 'application/scim+json' }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: text === '' ? null : JSON.parse(text),
      type: answer.headers.get('content-type'),
    }
  }
  return {
    admin,
    orgId,
    idpId,
    token,
    call,
    user: (who, more = {}) =>
      call('POST', '/Users', { schemas: [USER], userName: `${who}@${domain}`, externalId: `ext-${who}`, ...more }),
    group: (displayName, members = []) =>
      call('POST', '/Groups', { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) }),
    patch: (path, ...Operations) => call('PATCH', path, { schemas: [PATCH], Operations }),
  }
}

export const newToken = (app: SsoApp, as: SignedIn, body: object = {}): Promise<Answer> =>
  confirmed(app, 'POST', `/organization/${as.orgId}/scim-tokens`, { as, body })
