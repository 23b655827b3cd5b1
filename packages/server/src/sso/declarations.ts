/** What this domain declares about sign-on: settings and rate limits. Its permission, `org:idp`, is one of identity. */
import { declare } from '../runtime/declare.js'
import { given } from '../runtime/setting/setting.js'
import { address, list, matching, whole } from '../runtime/setting/types.js'

export const ssoDeclarations = declare({
  name: 'sso',
  sections: { sso: 'Single sign-on' },
  permissions: {},
  settings: {
    IDP_ALLOWED_ORIGINS: given(
      'sso',
      list(address('http', 'https')),
      [],
      'Origins of identity providers that may be http or have an address that is not public, such as one in the own network',
    ),
    DNS_SERVERS: given(
      'sso',
      list(matching(/^(\[[0-9a-fA-F:]{2,45}\]|[0-9.]{7,15})(:\d{1,5})?$/, '`<address>` or `<address>:<port>`')),
      [],
      'Name servers that are asked for the TXT records of domains; those of the host when empty',
    ),
    SSO_SETUP_MAX: given(
      'limits',
      whole(0),
      60,
      'Looks at identity providers and name servers of an organization in 60 s',
    ),
  },
  buckets: {
    'sso-setup': { per: 'org', max: 'SSO_SETUP_MAX', windowMs: 60_000 },
  },
})
