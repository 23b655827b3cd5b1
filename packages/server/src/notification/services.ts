/** The services that this domain's operations and jobs share in one process. They are created at first use. */
import { createEgress, type Egress } from '../runtime/egress/egress.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import { createSecretBox, type SecretBox } from '../runtime/secret-box.js'

export interface NotificationServices {
  /** Encrypts webhook secrets. @throws Error in a process without SECRET_ENCRYPTION_KEYS. */
  box(): SecretBox
  /** The egress to webhooks. */
  egress(): Egress
}

const servicesOf = perRuntime((runtime): NotificationServices => {
  const egress = createEgress()
  let box: SecretBox | null = null
  return {
    box() {
      box ??= createSecretBox(runtime.settings.SECRET_ENCRYPTION_KEYS ?? [])
      return box
    },
    egress: () => runtime.egress ?? egress,
  }
})

export const notificationOf = ({ runtime }: { readonly runtime: Runtime }): NotificationServices => servicesOf(runtime)
