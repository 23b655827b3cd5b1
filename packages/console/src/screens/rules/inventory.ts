/** The records that a draft is judged on while it is typed, as the rules of the server read them. */
import type { ImpactEntity } from '@plumbline/engine'
import { useMemo } from 'react'
import { useRead } from '../../data/api.js'
import { useSession } from '../../data/session.js'

/** So many are judged at each key; the server counts all of them. */
const ENTITIES_MAX = 1000
const NEEDED = ['compliance:read', 'plugins:read', 'pipelines:read']

/** @returns null until they are there, and for a person who may not read them: then the server alone counts. */
export function useInventory(target: 'plugin' | 'pipeline'): readonly ImpactEntity[] | null {
  const { permissions } = useSession()
  const inventory = useRead(
    ['inventory', target],
    (api, signal) => api.GET('/compliance/inventory', { params: { query: { target, limit: ENTITIES_MAX } }, signal }),
    { enabled: NEEDED.every((name) => permissions.has(name)) },
  )
  const entities = inventory.data?.entities
  return useMemo(
    () => entities?.map(({ id, name, attributes }) => ({ id, name, target, attributes })) ?? null,
    [entities, target],
  )
}
