/**
 * The services that this domain's operations share in one process: the models, the box for keys, the egress. Checked at
 * the start.
 */
import { createEgress, type Egress } from '../runtime/egress/egress.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import { findPort, port } from '../runtime/port.js'
import { createSecretBox, type SecretBox } from '../runtime/secret-box.js'
import { openFake } from './fake/model.js'
import { modelPort, type OpenModel } from './provider/model.js'
import { addressesOf, checkNames, modelsOf } from './provider/providers.js'
import { openSdkModel } from './provider/sdk.js'
import { type GitHost, hostsOf } from './repository/hosts.js'

export interface AiServices {
  readonly models: ReturnType<typeof modelsOf>
  readonly open: OpenModel
  readonly egress: Egress
  /** The hosts whose repositories can be read, by name. */
  readonly hosts: ReadonlyMap<string, GitHost>
  /** Encrypts keys. @throws Error in a process without SECRET_ENCRYPTION_KEYS. */
  box(): SecretBox
}

export const aiPort = port<AiServices>('ai')

/** @throws BadSettings when the settings have invalid models or addresses, or name a model that is not there. */
export const aiOf = perRuntime((runtime: Runtime): AiServices => {
  const { settings } = runtime
  const models = modelsOf(settings)
  addressesOf(settings)
  checkNames(settings, models)
  let box: SecretBox | null = null
  return {
    models,
    egress: runtime.egress ?? createEgress(),
    hosts: hostsOf(settings),
    open: (opening) => {
      const provided = findPort(runtime, modelPort)
      if (provided !== undefined) return provided(opening)
      return opening.provider === 'fake' ? openFake(opening) : openSdkModel(opening)
    },
    box() {
      box ??= createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? [])
      return box
    },
  }
})
