/** A question to the token service, over a socket, and what stands in its answer. */
import type { Random } from '../world/random.js'
import { authorizationOf, type Credential, described } from './model.js'
import { decide } from './oracle.js'
import { SERVICE, TTL_S } from './server.js'
import type { World } from './world.js'

export interface Answer {
  readonly status: number
  readonly token: string
  /** One line a scope: `<name>:<actions>`. */
  readonly access: readonly string[]
}

interface Claims {
  readonly access: readonly { readonly type: string; readonly name: string; readonly actions: readonly string[] }[]
  readonly aud: unknown
  readonly iss: unknown
  readonly iat: number
  readonly exp: number
}

export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))

/** Scopes come as one parameter or as several, to the address or to its alias. */
export async function ask(
  world: World,
  random: Random,
  credential: Credential,
  scopes: readonly string[],
): Promise<Answer> {
  const query = new URLSearchParams({ service: SERVICE })
  if (random.next() < 0.2) query.set('account', 'somebody')
  for (const scope of random.next() < 0.5 ? [scopes.join(' ')] : scopes) query.append('scope', scope)
  const path = random.next() < 0.5 ? '/registry/token' : '/token'
  const authorization = authorizationOf(credential)
  const response = await fetch(`${world.place.url}/api${path}?${query}`, {
    headers: authorization === null ? {} : { authorization },
  })
  const body = (await response.json()) as { readonly token?: string }
  const token = body.token ?? ''
  if (token === '') return { status: response.status, token, access: [] }
  const { access, aud, iss, iat, exp } = claimsOf(token)
  if (aud !== SERVICE || iss !== 'plumbline' || exp - iat !== TTL_S)
    throw new Error(`claims: ${JSON.stringify({ aud, iss, iat, exp })}`)
  const lines = access.map(
    ({ type, name, actions }) => `${type === 'repository' ? '' : `${type} `}${name}:${actions.join(',')}`,
  )
  return { status: response.status, token, access: lines }
}

export const decisionOf = (world: World, credential: Credential, scopes: readonly string[]) =>
  decide(credential, scopes, world, world.organizations)

/** What the answer says otherwise than the oracle; null when they agree. */
export function difference(
  world: World,
  credential: Credential,
  scopes: readonly string[],
  { status, access }: Answer,
): string | null {
  const wanted = decisionOf(world, credential, scopes)
  const isSame = status === (wanted.isRefused ? 401 : 200) && access.join(' ') === wanted.access.join(' ')
  if (isSame) return null
  return `${described(credential)} asks for ${JSON.stringify(scopes)}: ${status} [${access.join(' ')}], not ${wanted.isRefused ? 401 : 200} [${wanted.access.join(' ')}]`
}
