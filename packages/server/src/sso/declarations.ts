/**
 * What this domain declares about sign-on: settings and rate limits. Its permission, `org:idp`, is declared by
 * identity.
 */
import { declare } from '../runtime/declare.js'
import { given, optional } from '../runtime/setting/setting.js'
import { address, list, matching, text, whole } from '../runtime/setting/types.js'

const clientId = (whose: string) => optional('sso', text(500), `Client id at ${whose}; people sign in by it when set`)
const clientSecret = (whose: string) => optional('sso', text(1000), `Its secret at ${whose}`, { secret: true })
const issuer = (whose: string, value: string) => given('sso', address('http', 'https'), value, `Issuer of ${whose}`)

export const ssoDeclarations = declare({
  name: 'sso',
  sections: { sso: 'Single sign-on' },
  permissions: {},
  settings: {
    IDP_ALLOWED_ORIGINS: given(
      'sso',
      list(address('http', 'https')),
      [],
      'Origins of identity providers that may use http or a private address, such as one in your own network',
    ),
    DNS_SERVERS: given(
      'sso',
      list(matching(/^(\[[0-9a-fA-F:]{2,45}\]|[0-9.]{7,15})(:\d{1,5})?$/, '`<address>` or `<address>:<port>`')),
      [],
      'Name servers for the TXT records of domains; those of the host when empty',
    ),
    OAUTH_GOOGLE_CLIENT_ID: clientId('Google'),
    OAUTH_GOOGLE_CLIENT_SECRET: clientSecret('Google'),
    OAUTH_GOOGLE_ISSUER: issuer('Google', 'https://accounts.google.com'),
    OAUTH_GITLAB_CLIENT_ID: clientId('GitLab'),
    OAUTH_GITLAB_CLIENT_SECRET: clientSecret('GitLab'),
    OAUTH_GITLAB_ISSUER: issuer('GitLab: the address of gitlab.com, or of your own instance', 'https://gitlab.com'),
    OAUTH_MICROSOFT_CLIENT_ID: clientId('Microsoft'),
    OAUTH_MICROSOFT_CLIENT_SECRET: clientSecret('Microsoft'),
    OAUTH_MICROSOFT_ISSUER: issuer(
      'Microsoft: of personal accounts, or of one tenant',
      'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    ),
    OAUTH_GITHUB_CLIENT_ID: clientId('GitHub'),
    OAUTH_GITHUB_CLIENT_SECRET: clientSecret('GitHub'),
    OAUTH_GITHUB_URL: given(
      'sso',
      address('http', 'https'),
      'https://github.com',
      'Address of GitHub, or of your own instance',
    ),
    OAUTH_GITHUB_API_URL: given('sso', address('http', 'https'), 'https://api.github.com', 'Address of its API'),
    SSO_SETUP_MAX: given(
      'limits',
      whole(0),
      60,
      'Requests of an organization to identity providers and name servers in 60 s',
    ),
  },
  buckets: {
    'sso-setup': { per: 'org', max: 'SSO_SETUP_MAX', windowMs: 60_000 },
  },
})
