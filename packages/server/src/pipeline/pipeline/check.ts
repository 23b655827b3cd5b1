/**
 * The checks between a request and a stored pipeline: rights, properties, tokens, plugin references, the verdict of the
 * rules.
 */

import type { Static } from 'typebox'
import Type from 'typebox'
import { type FieldIssue, insufficient, invalid, Refusal } from '../../runtime/errors.js'
import { type PrepareContext, tenantId, tenantKey } from '../../runtime/operation/context.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import {
  type ComplianceRequest,
  type ComplianceVerdict,
  type ComplianceViolation,
  requireCompliance,
} from '../../runtime/records/compliance.js'
import { pluginCatalogPort } from '../../runtime/records/plugin-catalog.js'
import { checkProps, type Named, resolveProps } from '../props/check.js'
import { distinct, type ReferenceWarning, referencesIn, warningsOf } from '../props/references.js'
import type { Props } from '../props/schema.js'
import type { PipelineRow } from '../tables.js'
import { tokenRefusal } from '../token/refuse.js'
import { pipelineAttributes } from './record.js'

type Asking = Pick<PrepareContext, 'authority'>

/**
 * Publishing a record, and changing a public one, needs a separate permission.
 * @throws Refusal 403 with reason `permission`.
 */
export function checkPublish({ authority }: Asking, ...modifiers: (string | undefined)[]): void {
  // guard: who-publishes-pipelines
  if (!modifiers.includes('public') || authority.permissions.has('pipelines:publish') || authority.isSuperAdmin) return
  throw insufficient('permission', 'creating or changing a public record needs the permission pipelines:publish', {
    required: ['pipelines:publish'],
    mode: 'all',
  })
}

/**
 * @param at JSON pointer to the properties in the request.
 * @throws Refusal 400 with every issue of the properties, or with every issue of their tokens.
 */
export function requireProps(props: Props, named: Named | null, at: string): void {
  const issues = checkProps(props, named, at)
  if (issues.length > 0) throw invalid(issues)
  const { issues: tokens } = resolveProps(props, at)
  if (tokens.length > 0) throw tokenRefusal(tokens)
}

/**
 * Warnings about the plugins that the properties name; none where no plugin domain is mounted.
 * @throws Refusal 400 for a plugin that does not exist, with `STRICT_PLUGIN_REFS=true`.
 */
export async function checkReferences(context: PrepareContext, props: Props, at: string): Promise<ReferenceWarning[]> {
  const warnings = await lookUpReferences(context, props, at)
  const missing = warnings.filter(({ code }) => code === 'PLUGIN_NOT_FOUND')
  if (context.runtime.settings.STRICT_PLUGIN_REFS && missing.length > 0) {
    throw invalid(missing.map(({ path, message }): FieldIssue => ({ path, message, code: 'plugin_not_found' })))
  }
  return warnings
}

export async function lookUpReferences(context: PrepareContext, props: Props, at: string): Promise<ReferenceWarning[]> {
  const plugins = findPort(context.runtime, pluginCatalogPort)
  if (plugins === undefined) return []
  const placed = referencesIn(props, at)
  return warningsOf(placed, await context.read((db) => plugins.resolve(db, tenantKey(context), distinct(placed))))
}

/** An early check, so that an account at its limit is refused before any other work. @throws Refusal 429 or 503. */
export async function checkHeadroom(context: PrepareContext): Promise<void> {
  const capacity = capacityOf(context.runtime)
  await context.read((db) => capacity.checkHeadroom(db, tenantId(context), 'pipelines', 1))
}

/** The request to the rules for the pipeline as it would be stored. */
export const complianceRequest = (
  row: PipelineRow,
  action: ComplianceRequest['action'],
  isNew: boolean,
): ComplianceRequest => ({
  target: 'pipeline',
  action,
  attributes: pipelineAttributes(row),
  entityId: isNew ? null : row.id,
  entityName: row.pipelineName,
})

/** @throws Refusal 403, 400 or 503 as `requireCompliance`. @returns the row with its verdict, and the verdict. */
export async function judged(
  context: PrepareContext,
  row: PipelineRow,
  action: ComplianceRequest['action'],
  isNew = false,
): Promise<{ readonly row: PipelineRow; readonly verdict: ComplianceVerdict }> {
  const verdict = await requireCompliance(context, complianceRequest(row, action, isNew))
  const complianceResult = verdict.warnings.length > 0 ? 'warned' : 'passed'
  return { row: { ...row, complianceResult, complianceCheckedAtMs: context.nowMs }, verdict }
}

/** The row changed between the verdict and the write, so the verdict does not apply to what would be stored. */
export const changedMeanwhile = (): Refusal =>
  new Refusal('CONFLICT', 'the pipeline was changed in the meantime: read it again, then repeat the change', {
    headers: { 'Retry-After': '0' },
  })

export const WarningSchema = strictObject({
  code: Type.Unsafe<ReferenceWarning['code']>({
    type: 'string',
    enum: ['PLUGIN_NOT_FOUND', 'PLUGIN_NOT_READY', 'PLUGIN_DEPRECATED'],
  }),
  message: Type.String(),
  path: Type.String(),
  plugin: Type.String(),
  version: nullable(Type.String()),
})
export type Warning = Static<typeof WarningSchema>

/** A violation as the compliance domain shows it. */
export const ViolationSchema = Type.Unsafe<ComplianceViolation>({
  type: 'object',
  additionalProperties: true,
  description: 'A violation of a rule',
})
