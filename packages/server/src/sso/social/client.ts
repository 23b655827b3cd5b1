/** Calls a provider of social accounts: OpenID Connect, or OAuth with an API. */
import type { Configuration } from 'openid-client'
import { EgressFailed } from '../../runtime/egress/egress.js'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Secrets } from '../flow/begin.js'
import type { Peer } from '../oidc/client.js'
import { createConfigurer } from '../oidc/configured.js'
import { SignInRefused } from '../oidc/reasons.js'
import { ownUrl } from '../own-url.js'
import { ssoOf } from '../services.js'
import type { SocialProvider } from './catalogue.js'
import { personOfClaims, personOfGithub, type SocialPerson } from './person.js'

const SCOPES = ['email', 'profile']
const WAIT_S = 10

const redirectUri = (runtime: Runtime, { id }: SocialProvider): string => `${ownUrl(runtime)}/auth/callback/${id}`

const peerOf = (runtime: Runtime, provider: SocialProvider): Peer => ({
  id: `social ${provider.id}`,
  revision: 1,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  alg: 'RS256',
  redirectUri: redirectUri(runtime, provider),
})

/** @param again whether the provider must authenticate the person again. @throws Refusal `PROVIDER_UNAVAILABLE`. */
export async function socialUrl(
  runtime: Runtime,
  provider: SocialProvider,
  { state, nonce, verifier }: Secrets,
  again: boolean,
): Promise<string> {
  if (provider.apiUrl === null) {
    return ssoOf(runtime).oidc.authorizeUrl(peerOf(runtime, provider), {
      state,
      nonce,
      verifier,
      scopes: SCOPES,
      again,
    })
  }
  const { oidc, config } = await oauthOf(runtime, provider)
  return oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(runtime, provider),
    scope: 'read:user user:email',
    response_type: 'code',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

export interface SocialAnswer {
  readonly state: string
  readonly code?: string
  readonly iss?: string
  readonly error?: string
}

/** @throws SignInRefused; Refusal `PROVIDER_UNAVAILABLE`. */
export async function socialPerson(
  runtime: Runtime,
  provider: SocialProvider,
  answer: SocialAnswer,
  secrets: Pick<Secrets, 'nonce' | 'verifier'>,
): Promise<SocialPerson> {
  if (provider.apiUrl === null) {
    const claims = await ssoOf(runtime).oidc.exchange(peerOf(runtime, provider), answer, secrets)
    return personOfClaims(provider, claims, runtime.clock.now())
  }
  if (answer.error !== undefined || answer.code === undefined) throw new SignInRefused('provider')
  const { oidc, config } = await oauthOf(runtime, provider)
  const url = new URL(redirectUri(runtime, provider))
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  try {
    const { access_token: token } = await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: secrets.verifier,
      expectedState: answer.state,
    })
    const ask = async (path: string): Promise<unknown> =>
      (await oidc.fetchProtectedResource(config, token, new URL(`${provider.apiUrl}${path}`), 'GET')).json()
    return personOfGithub(provider.issuer, await ask('/user'), await ask('/user/emails'))
  } catch (error) {
    throw whyNot(error)
  }
}

async function oauthOf(runtime: Runtime, { issuer, clientId, clientSecret }: SocialProvider) {
  const oidc = await import('openid-client')
  const { settings } = runtime
  const { egress } = ssoOf(runtime)
  const { fetching } = createConfigurer({
    egress,
    allowedOrigins: settings.IDP_ALLOWED_ORIGINS,
    now: () => runtime.clock.now(),
  })
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
  }
  const secret = clientSecret ?? ''
  const config: Configuration = new oidc.Configuration(
    server,
    clientId,
    { client_secret: secret },
    oidc.ClientSecretPost(secret),
  )
  config[oidc.customFetch] = fetching
  config.timeout = WAIT_S
  if (settings.IDP_ALLOWED_ORIGINS.some((origin) => origin.startsWith('http:'))) oidc.allowInsecureRequests(config)
  return { oidc, config }
}

/** No message contains text from the provider. */
function whyNot(error: unknown): Error {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof EgressFailed) {
      return new Refusal('PROVIDER_UNAVAILABLE', 'the provider does not answer now; try again', { cause: error })
    }
  }
  return error instanceof SignInRefused ? error : new SignInRefused('provider')
}
