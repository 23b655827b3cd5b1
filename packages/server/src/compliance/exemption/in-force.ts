/** The waivers that hold for an entity now. None is kept yet, so none holds. */
import type { Exemption } from '@plumbline/engine'

export async function exemptionsOf(): Promise<readonly Exemption[]> {
  return []
}
