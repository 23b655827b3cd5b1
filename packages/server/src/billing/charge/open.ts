/** The payment provider of this process, as its settings say. */

import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { findPort, port } from '../../runtime/port.js'
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import type { Settings } from '../../runtime/settings/load.js'
import { cardProvider } from '../card/card.js'
import { cardMistakes, cardSettings } from '../card/settings.js'
import { marketplaceMistakes } from '../marketplace/settings.js'
import { marketplaceProvider } from '../provider/marketplace.js'
import type { PaymentProvider } from '../provider/port.js'
import { stubProvider } from '../provider/stub.js'

export const paymentProviderPort = port<PaymentProvider>('payment provider')

/** @throws BadSettings with every mistake in the provider's settings. */
export function openProvider(settings: Settings): PaymentProvider {
  if (settings.BILLING_PROVIDER === 'stub') return stubProvider
  const mistakes = [...cardMistakes(settings), ...marketplaceMistakes(settings)]
  if (mistakes.length > 0) throw new BadSettings(mistakes.map(({ name, message }) => `${name} ${message}`))
  if (settings.BILLING_PROVIDER === 'marketplace') return marketplaceProvider
  return cardProvider(cardSettings(settings), settings.tiers)
}

const ofSettings = perRuntime(({ settings }: Runtime) => openProvider(settings))

/** Returns the provider of the process. Tools with a runtime of their own get it from the settings. */
export const providerOf = (runtime: Runtime): PaymentProvider =>
  findPort(runtime, paymentProviderPort) ?? ofSettings(runtime)
