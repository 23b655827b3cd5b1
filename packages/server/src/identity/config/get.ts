import Type from 'typebox'
import { mailLeaves } from '../../runtime/mail/send.js'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { SERVER_VERSION } from '../../runtime/version.js'

/** Public: a client asks before anybody signs in. */
export const getConfig = query({
  name: 'identity.config.get',
  summary: 'Read what this server offers',
  http: { method: 'get', path: '/config' },
  access: anyone(),
  tenant: noTenant,
  input: {},
  output: strictObject({
    features: strictObject({
      billing: Type.Boolean(),
      email: Type.Boolean(),
      oauth: Type.Boolean(),
      ai: Type.Boolean(),
      builder: Type.Boolean({ description: 'A builder has asked for work lately' }),
      registry: Type.Boolean(),
    }),
    modules: Type.Array(Type.String(), { description: 'The modules of this server: what is absent it does not have' }),
    registration: Type.Enum(['open', 'invite', 'closed']),
    supportAlias: Type.Union([Type.String(), Type.Null()]),
    version: Type.String(),
  }),
  errors: [],
  async run({ db, nowMs, runtime: { settings, domains } }) {
    const isMounted = (name: string) => domains.some((domain) => domain.name === name)
    const offered: Record<string, boolean> = {}
    for (const domain of domains) Object.assign(offered, await domain.offers?.(db, { settings, nowMs }))
    return {
      features: {
        billing: settings.BILLING_ENABLED,
        email: mailLeaves(settings),
        // Sign-in by other providers and generation are not part of this version's settings.
        oauth: false,
        ai: false,
        builder: offered['builder'] ?? false,
        registry: isMounted('registry'),
      },
      modules: [...settings.PLUMBLINE_MODULES],
      registration: settings.REGISTRATION,
      supportAlias: settings.SUPPORT_ALIASES[0] ?? null,
      version: SERVER_VERSION,
    }
  },
})
