/**
 * Reports what a create would do: schema, tokens, plugins, rules, capacity. Nothing is written. Source: spec platform
 * 8.3.
 */

import { completeProps, type TokenIssue } from '@plumbline/engine'
import Type from 'typebox'
import { type FieldIssue, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { type PrepareContext, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { checkWriteScope } from '../../runtime/records/catalog.js'
import { askCompliance, type ComplianceViolation } from '../../runtime/records/compliance.js'
import { checkProps, keyOf, resolveProps } from '../props/check.js'
import {
  checkHeadroom,
  checkPublish,
  complianceRequest,
  lookUpReferences,
  ViolationSchema,
  WarningSchema,
} from './check.js'
import { ACROSS, rowOf } from './create.js'
import { CreateBody } from './record.js'
import { findByKey } from './rows.js'

const Issue = strictObject({ path: Type.String(), message: Type.String(), code: Type.String() })

const Report = strictObject({
  valid: Type.Boolean({ description: 'Whether a create with this body would succeed now' }),
  /** `create` or `update`; null while the body is not valid. */
  action: Type.Unsafe<'create' | 'update' | null>({ enum: ['create', 'update', null] }),
  issues: Type.Array(Issue),
  templateIssues: Type.Array(Issue),
  warnings: Type.Array(WarningSchema),
  compliance: Type.Unsafe<{ passed: boolean; blocked: boolean; violations: unknown[]; warnings: unknown[] } | null>({
    anyOf: [
      strictObject({
        passed: Type.Boolean(),
        blocked: Type.Boolean(),
        violations: Type.Array(ViolationSchema),
        warnings: Type.Array(ViolationSchema),
      }),
      { type: 'null' },
    ],
    description: 'Null while the body is not valid',
  }),
  /** Null when no capacity is needed or the body is not valid. */
  quota: Type.Unsafe<{ available: boolean; message: string | null } | null>({
    anyOf: [strictObject({ available: Type.Boolean(), message: nullable(Type.String()) }), { type: 'null' }],
  }),
})

export interface PipelineReport {
  valid: boolean
  action: 'create' | 'update' | null
  issues: FieldIssue[]
  templateIssues: { path: string; message: string; code: string }[]
  warnings: Awaited<ReturnType<typeof lookUpReferences>>
  compliance: {
    passed: boolean
    blocked: boolean
    violations: ComplianceViolation[]
    warnings: ComplianceViolation[]
  } | null
  quota: { available: boolean; message: string | null } | null
}

export const validatePipeline = command({
  name: 'pipeline.pipeline.validate',
  summary: 'Check what a create would do, without changing anything',
  http: { method: 'post', path: '/pipelines/validate' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
  audit: none('nothing is changed, and a dry run leaves no row in the check log'),
  input: {
    body: CreateBody,
  },
  output: Report,
  errors: ['COMPLIANCE_SERVICE_UNAVAILABLE', 'INSUFFICIENT_PERMISSIONS', 'SERVICE_UNAVAILABLE', 'VALIDATION_ERROR'],
  prepare: (context, { body }) => reportOn(context, body),
  run: async (_, __, data) => unchanged(data),
})

const NOTHING: PipelineReport = {
  valid: false,
  action: null,
  issues: [],
  templateIssues: [],
  warnings: [],
  compliance: null,
  quota: null,
}

/** The answer of `/pipelines/validate`. */
export async function reportOn(context: PrepareContext, body: CreateBody): Promise<PipelineReport> {
  checkPublish(context, body.accessModifier)
  const named = { project: body.project.trim(), organization: body.organization.trim() }
  const props = completeProps(body.props, named.project, named.organization)
  const issues = checkProps(props, named, '/body/props')
  if (issues.length > 0) return { ...NOTHING, issues }
  const templateIssues = resolveProps(props, '/body/props').issues.map(({ path, message, code }: TokenIssue) => ({
    path,
    message,
    code,
  }))
  if (templateIssues.length > 0) return { ...NOTHING, templateIssues }
  const key = { projectKey: keyOf(named.project), organizationKey: keyOf(named.organization) }
  const stored = await context.read((db) => findByKey(db, tenantId(context), key))
  // guard: a-dry-run-needs-the-rights-of-the-write
  if (stored !== null) {
    await checkWriteScope(context, stored)
    checkPublish(context, stored.accessModifier)
  }
  const isNew = stored === null || stored.deletedAtMs !== null
  const row = await rowOf(context, body, props, stored)
  const warnings = await lookUpReferences(context, props, '/body/props')
  const isStrict = context.runtime.settings.STRICT_PLUGIN_REFS
  const missing = isStrict ? warnings.filter(({ code }) => code === 'PLUGIN_NOT_FOUND') : []
  const request = { ...complianceRequest(row, isNew ? 'create' : 'update', stored === null), isDryRun: true }
  const { passed, blocked, violations, warnings: soft } = await askCompliance(context, request)
  const quota = isNew ? await roomOf(context) : null
  return {
    valid: !blocked && quota?.available !== false && missing.length === 0,
    action: isNew ? 'create' : 'update',
    issues: missing.map(({ path, message }) => ({ path, message, code: 'plugin_not_found' })),
    templateIssues: [],
    warnings,
    compliance: { passed, blocked, violations: [...violations], warnings: [...soft] },
    quota,
  }
}

async function roomOf(context: PrepareContext): Promise<{ available: boolean; message: string | null }> {
  try {
    await checkHeadroom(context)
    return { available: true, message: null }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED') return { available: false, message: error.message }
    throw error
  }
}
