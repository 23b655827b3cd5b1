/**
 * Evaluates a plugin with its image against the rules of its organization, before the image is published: the rules
 * that waited for the image and all others. Without a verdict the image is not published.
 */
import { tenantKeyOf } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { askCompliance, type CheckContext, type ComplianceVerdict } from '../../runtime/records/compliance.js'
import type { BuiltImageFacts } from '../image/built-image.js'
import { pluginAttributes } from '../plugin/attributes.js'
import type { BuildJobRow, PluginRow } from '../tables.js'
import { ImageRefused } from './check-image.js'

/** @throws ImageRefused with the violations; Refusal 503 when there is no verdict. */
export async function judgeImage(
  { runtime, nowMs }: { readonly runtime: Runtime; readonly nowMs: number },
  job: BuildJobRow,
  plugin: PluginRow,
  builtImage: BuiltImageFacts,
): Promise<void> {
  const context = await contextOf(runtime, nowMs, job)
  const { usesRootUser } = builtImage
  // The facts of the image count, also where the Dockerfile says otherwise.
  const attributes = pluginAttributes({ ...plugin, usesRootUser, builtImage, isActive: true })
  const request = {
    target: 'plugin',
    action: 'upload',
    attributes,
    entityId: plugin.id,
    entityName: plugin.name,
  } as const
  const verdict = await verdictOf(context, request)
  // guard: a-blocked-image-is-not-published
  if (verdict.blocked) throw blocked(verdict)
}

async function verdictOf(...question: Parameters<typeof askCompliance>): Promise<ComplianceVerdict> {
  try {
    return await askCompliance(...question)
  } catch (error) {
    // The attributes exceed the limits of the rules: a retry would give the same image.
    if (error instanceof Refusal && error.code === 'VALIDATION_ERROR')
      throw new ImageRefused('validation', error.message)
    throw error
  }
}

function blocked({ violations }: ComplianceVerdict): ImageRefused {
  const blocking = violations.filter(({ severity }) => severity !== 'warning')
  const names = blocking.slice(0, 3).map(({ ruleName }) => ruleName)
  const more = blocking.length > names.length ? ` and ${blocking.length - names.length} more` : ''
  return new ImageRefused('validation', `the image is blocked by the rules ${names.join(', ')}${more}`, violations)
}

/** The check runs as the person who uploaded the plugin, in the organization of the plugin. */
async function contextOf(
  runtime: Runtime,
  nowMs: number,
  { id, orgId, createdBy }: BuildJobRow,
): Promise<CheckContext> {
  const key = await tenantKeyOf(runtime.store, orgId)
  if (key === null) throw new ImageRefused('other', 'the organization was deleted')
  const parentOrgId = key.readableOrgIds.find((each) => each !== SYSTEM_ORG_ID && each !== orgId) ?? null
  return {
    runtime,
    nowMs,
    actor: { id: createdBy, email: null, role: null, impersonatorId: null },
    authority: { org: { id: orgId, parentOrgId } as NonNullable<CheckContext['authority']['org']> },
    request: { requestId: id },
  }
}
