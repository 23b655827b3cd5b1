/** The settings of the provider on this host. */
import { UsageError } from '../command.js'
import type { Server } from '../host/load-server.js'

type Config = Parameters<Server['loadConfig']>[0]

export function providerSettingsOf(server: Server, config: Config) {
  const loaded = server.loadConfig({ ...config, createKeys: false })
  if (!loaded.ok) throw new server.BadSettings(loaded.issues.map(({ message }) => message))
  if (loaded.settings.BILLING_PROVIDER === 'stub') {
    throw new UsageError(
      'BILLING_PROVIDER is stub: no provider charges here',
      'set BILLING_PROVIDER=card_provider and CARD_PROVIDER_SECRET_KEY, or BILLING_PROVIDER=marketplace and MARKETPLACE_PRODUCT_CODE',
    )
  }
  return loaded.settings
}
