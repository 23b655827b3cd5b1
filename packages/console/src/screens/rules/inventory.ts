/** The records that a draft is evaluated on while the author types, in the form that rules read. */
import type { ImpactEntity } from '@plumbline/engine'
import { useMemo } from 'react'
import { useRead } from '../../data/api.js'
import { useSession } from '../../data/session.js'

/** At most this many are evaluated on each keystroke. The server counts all of them. */
const ENTITIES_MAX = 1000
const NEEDED = ['compliance:read', 'plugins:read', 'pipelines:read']

/** @returns null until they are loaded, and for a person who may not read them. Then only the server counts. */
export function useInventory(target: 'plugin' | 'pipeline'): readonly ImpactEntity[] | null {
  const { permissions } = useSession()
  const inventory = useRead(
    ['inventory', target],
    (api, signal) => api.GET('/compliance/inventory', { params: { query: { target, limit: ENTITIES_MAX } }, signal }),
    { enabled: NEEDED.every((name) => permissions.has(name)), aside: true },
  )
  const entities = inventory.data?.entities
  return useMemo(
    () => entities?.map(({ id, name, attributes }) => ({ id, name, target, attributes })) ?? null,
    [entities, target],
  )
}
