/** The deleted pipeline that a caller may restore or purge. Source: spec platform 22. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { checkWriteScope } from '../../runtime/records/catalog.js'
import type { PipelineRow } from '../tables.js'
import { checkPublish } from './check.js'
import { storedPipeline } from './rows.js'

export const onPipeline = Type.Object({ id: Uuid })

/** The deleted pipeline of the caller's organization, if the caller may change it. */
export async function ownTombstone(context: PrepareContext, id: string): Promise<PipelineRow> {
  const stored = await context.read((db) => storedPipeline(db, tenantId(context), id))
  if (stored?.deletedAtMs == null) throw notFound('Deleted pipeline')
  await checkWriteScope(context, stored)
  checkPublish(context, stored.accessModifier)
  return stored
}
