/**
 * Loads the starter templates into the catalog of the system organization: at the first start, and again when a newer
 * build has different ones. Templates that an operator changed or deleted there are left as they are.
 */

import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { pipelineTables, type TemplateRow } from '../tables.js'
import { requireContract } from '../template/contract.js'
import { insertTemplate, saveTemplate } from '../template/rows.js'
import { STARTERS, type Starter } from './starters.js'

const AUTHOR = 'system'

export interface Loaded {
  readonly created: number
  readonly updated: number
}

export function loadStarters(runtime: Runtime, starters: readonly Starter[] = STARTERS): Promise<Loaded> {
  for (const { props, inputs } of starters) requireContract(props, inputs)
  const scope = runtime.store.tenant({ orgId: SYSTEM_ORG_ID, readableOrgIds: [] })
  return scope.write(async (tx) => {
    let created = 0
    let updated = 0
    for (const starter of starters) {
      const done = await load(tx, runtime, starter)
      if (done === 'created') created += 1
      if (done === 'updated') updated += 1
    }
    return { created, updated }
  }, 'pipeline.starters')
}

async function load(tx: Tx, runtime: Runtime, starter: Starter): Promise<'created' | 'updated' | 'kept'> {
  const { pipelineTemplates: t } = pipelineTables(tx)
  const [stored] = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.name, starter.name)))
    .limit(1)
  const said = { ...starter, nameKey: nameKey(starter.name), inputs: [...starter.inputs] }
  const nowMs = runtime.clock.now()
  if (stored === undefined) {
    const row: TemplateRow = {
      id: runtime.ids.next(),
      orgId: SYSTEM_ORG_ID,
      liveKey: starter.name.toLowerCase(),
      ...said,
      accessModifier: 'public',
      isActive: true,
      version: 1,
      ownerId: SYSTEM_ORG_ID,
      ownerType: 'team',
      lifecycle: 'production',
      criticality: null,
      labels: {},
      links: [],
      revision: 1,
      createdAtMs: nowMs,
      createdBy: AUTHOR,
      updatedAtMs: nowMs,
      updatedBy: AUTHOR,
      ...NOT_DELETED,
    }
    // Another replica that starts at the same moment may have inserted it first.
    if (!(await insertTemplate(tx, row))) return 'kept'
    await evidence(tx, runtime, 'pipeline_template.create', row)
    return 'created'
  }
  const isTheirs = stored.updatedBy !== AUTHOR || stored.deletedAtMs !== null
  const before = Object.fromEntries(Object.keys(said).map((name) => [name, stored[name as keyof TemplateRow]]))
  if (isTheirs || isDeepStrictEqual(JSON.parse(JSON.stringify(said)), before)) return 'kept'
  const row: TemplateRow = {
    ...stored,
    ...said,
    version: stored.version + 1,
    revision: stored.revision + 1,
    updatedAtMs: nowMs,
  }
  await saveTemplate(tx, row)
  await evidence(tx, runtime, 'pipeline_template.update', row)
  return 'updated'
}

const evidence = (
  tx: Tx,
  runtime: Runtime,
  action: 'pipeline_template.create' | 'pipeline_template.update',
  { id, name }: TemplateRow,
) =>
  writeEvidence(tx, outsideRequest(runtime), action, {
    orgId: SYSTEM_ORG_ID,
    targetType: 'pipeline_template',
    targetId: id,
    details: { name, reason: 'shipped' },
  })
