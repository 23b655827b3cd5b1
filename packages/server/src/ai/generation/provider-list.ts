/**
 * The providers as a list for people: which have a key here, whose key it is, and which provider a request without a
 * name uses.
 */
import Type from 'typebox'
import type { ReadContext } from '../../runtime/operation/context.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { orgKeyProviders, serverKey } from '../provider/keys.js'
import { defaultModel, offeredProviders, providerName } from '../provider/providers.js'
import { aiOf } from '../services.js'
import { tenantOf } from './ask.js'

export const ProviderList = strictObject({
  providers: Type.Array(
    strictObject({
      id: Type.String(),
      name: Type.String(),
      configured: Type.Boolean({ description: 'Whether the provider has a key, of the organization or of the server' }),
      keySource: Type.Unsafe<'server' | 'org' | 'none'>({ type: 'string', enum: ['server', 'org', 'none'] }),
      models: Type.Array(strictObject({ id: Type.String(), name: Type.String() })),
    }),
  ),
  default: nullable(strictObject({ provider: Type.String(), model: Type.String() })),
  entitled: Type.Boolean({ description: 'Whether the plan of the organization has generation' }),
})

export async function listOfProviders(context: ReadContext): Promise<Type.Static<typeof ProviderList>> {
  const { runtime, authority, db } = context
  const { settings } = runtime
  const own = await orgKeyProviders(db, tenantOf(context))
  const { models } = aiOf(runtime)
  const providers = offeredProviders(settings).map((id) => {
    const keySource = own.has(id)
      ? ('org' as const)
      : serverKey(settings, id) === null
        ? ('none' as const)
        : ('server' as const)
    const shown = models[id].map((each) => ({ id: each.id, name: each.name }))
    return { id, name: providerName(id), configured: keySource !== 'none', keySource, models: shown }
  })
  const first =
    providers.find(({ id }) => id === settings.AI_PROVIDER) ??
    providers.find(({ keySource }) => keySource === 'org') ??
    providers.find(({ configured }) => configured)
  const model = first === undefined ? undefined : defaultModel(settings, models[first.id])?.id
  return {
    providers,
    default: first === undefined || model === undefined ? null : { provider: first.id, model },
    entitled: authority.isSuperAdmin || (authority.org?.features.has('ai_generation') ?? false),
  }
}
