/** The write that is proved and measured: a row of an ordinary table with its evidence. */
import { identityTables } from '../../src/identity/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createIds } from '../../src/runtime/ids.js'
import { writeEvidence } from '../../src/runtime/jobs/evidence.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import type { Store } from '../../src/runtime/store/db.js'

export const ORG = '11111111-1111-7111-8111-111111111111'
const runtime = { clock: systemClock, ids: createIds(systemClock) } as unknown as Runtime

/** A change with its evidence in one transaction, as every command makes it. */
export function change(store: Store, number: number): Promise<void> {
  const nowMs = systemClock.now()
  return store.tenant({ orgId: ORG, readableOrgIds: [] }).write(async (tx) => {
    const { roles } = identityTables(tx)
    await tx.insert(roles).values({
      id: `role-${number}`,
      orgId: ORG,
      name: `Role ${number}`,
      nameKey: `role ${number}`,
      description: '',
      permissions: ['pipelines:read'],
      builtIn: false,
      grantsLevel: 'member',
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
    const source = {
      runtime,
      actor: { id: 'system', email: null, role: null, impersonatorId: null },
      authority: { org: { id: ORG } },
      request: { requestId: `request-${number}`, traceId: null, ip: null, userAgent: null },
      nowMs,
    } as unknown as Parameters<typeof writeEvidence>[1]
    await writeEvidence(tx, source, 'org.role.create', { targetType: 'role', targetId: `role-${number}` })
  }, 'proof.change')
}
