import Type from 'typebox'
import { mailLeaves } from '../../runtime/mail/send.js'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { SERVER_VERSION } from '../../runtime/version.js'
import { Sections, sectionsOf } from './sections.js'

/** Public, because a client reads it before sign-in. */
export const getConfig = query({
  name: 'identity.config.get',
  summary: 'Read the features of this server',
  http: { method: 'get', path: '/config' },
  access: anyone(),
  tenant: noTenant,
  // guard: a-look-at-what-the-server-offers-has-its-own-limit
  countsItself: 'each page of the console asks it once, and many people may share one address',
  rateLimit: 'config',
  input: {},
  output: strictObject({
    features: strictObject({
      billing: Type.Boolean(),
      email: Type.Boolean(),
      oauth: Type.Boolean({ description: 'Whether people can sign in with a social account' }),
      ai: Type.Boolean({
        description: 'Whether the server has a key of a model; an organization can also set its own',
      }),
      builder: Type.Boolean({ description: 'Whether a builder asked for work recently' }),
      registry: Type.Boolean(),
    }),
    modules: Type.Array(Type.String(), {
      description: 'The modules of this server; a module that is not listed is not available',
    }),
    sections: Sections,
    registration: Type.Enum(['open', 'invite', 'closed']),
    supportAlias: Type.Union([Type.String(), Type.Null()]),
    version: Type.String(),
  }),
  errors: [],
  async run({ db, nowMs, runtime: { settings, domains } }) {
    const sections = sectionsOf(settings)
    const offered: Record<string, boolean> = {}
    for (const domain of domains) Object.assign(offered, await domain.offers?.(db, { settings, nowMs }))
    return {
      features: {
        billing: settings.BILLING_ENABLED,
        email: mailLeaves(settings),
        oauth: offered.oauth ?? false,
        ai: offered.ai ?? false,
        builder: offered.builder ?? false,
        registry: sections.registry,
      },
      modules: [...settings.PLUMBLINE_MODULES],
      sections,
      registration: settings.REGISTRATION,
      supportAlias: settings.SUPPORT_ALIASES[0] ?? null,
      version: SERVER_VERSION,
    }
  },
})
