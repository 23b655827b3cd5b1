/**
 * The compliance check before a change. It runs in `prepare`, outside any transaction, and fails closed: when there is
 * no verdict within five seconds, the change is refused and nothing was saved. Source: spec compliance 13.2.
 */

import type { Target, Violation, WaitingRule } from '@plumbline/engine'
import { invalid, Refusal } from '../errors.js'
import type { PrepareContext } from '../operation/context.js'
import { findPort, port } from '../port.js'
import type { Db } from '../store/db.js'

export const CHECK_MS_MAX = 5000

export interface ComplianceRequest {
  readonly target: Target
  readonly action: 'upload' | 'create' | 'update' | 'deploy' | 'restore'
  /** The projection of the record as it will be stored (`projectEntity`). */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Null for a record that does not exist yet. */
  readonly entityId: string | null
  readonly entityName: string | null
  /** Writes no row to the check log and sends no notification. */
  readonly isDryRun?: boolean
}

/** A violation as answers show it, with the rollout mode of its rule applied (spec compliance 13.2). */
export type ComplianceViolation = Violation & { readonly declaredSeverity?: string }

export interface ComplianceVerdict {
  readonly passed: boolean
  readonly blocked: boolean
  /** Every violation of every severity. */
  readonly violations: readonly ComplianceViolation[]
  /** The violations that do not block; they are in `violations` too. */
  readonly warnings: readonly ComplianceViolation[]
  /** The number of rules that were evaluated. */
  readonly rulesEvaluated: number
  /** Violations that exemptions cover; absent when there are none. */
  readonly exempted?: readonly ExemptedViolation[]
  /** The entry of the check log; absent when the check wrote none, or when another process wrote it. */
  readonly checkId?: string
  /** Rules that are evaluated once the image exists; absent when none waits. */
  readonly deferredRules?: readonly WaitingRule[]
}

/** Who asks for a check, and for which organization: a request, or work that continues after one. */
export interface CheckContext extends Pick<PrepareContext, 'runtime' | 'nowMs' | 'actor'> {
  readonly authority: Pick<PrepareContext['authority'], 'org'>
  readonly request: Pick<PrepareContext['request'], 'requestId' | 'traceparent'>
}

/** A violation that exists without the exemption. */
export interface ExemptedViolation {
  readonly exemptionId: string
  readonly reason: string | null
  readonly expiresAt: string | null
  readonly violation: ComplianceViolation
}

/** The attributes exceed the limits. The caller answers 400 with the same details (spec compliance 5). */
export interface AttributesRefused {
  readonly limit: 'keys' | 'depth' | 'nodes'
  readonly max: number
  readonly actual: number
}

export type ComplianceAnswer = { readonly verdict: ComplianceVerdict } | { readonly refused: AttributesRefused }

/**
 * The result of the last re-check or scan of a record, by the rules of that time, which may be newer than those of its
 * last change.
 */
export interface Rechecked {
  readonly result: 'pass' | 'warn' | 'block'
  readonly checkedAtMs: number
}

/** Null for a record that was not checked again, and for a record of another organization. */
export type LastRecheck = (
  db: Db,
  entity: { readonly orgId: string; readonly target: Target; readonly entityId: string },
) => Promise<Rechecked | null>

export interface CompliancePort {
  /**
   * Returns the verdict of the tenant's rules; its row in the check log is committed.
   *
   * @throws Any error that prevented the verdict. The caller fails closed.
   */
  check(context: CheckContext, request: ComplianceRequest, signal: AbortSignal): Promise<ComplianceAnswer>
}

/**
 * Gets the verdict and refuses a change that it blocks.
 *
 * @returns The verdict of a change that is allowed, for its warnings.
 * @throws Refusal 403 `COMPLIANCE_VIOLATION`, 400 for attributes beyond the limits, 503
 * `COMPLIANCE_SERVICE_UNAVAILABLE`.
 */
export async function requireCompliance(context: CheckContext, request: ComplianceRequest): Promise<ComplianceVerdict> {
  const verdict = await askCompliance(context, request)
  if (!verdict.blocked) return verdict
  throw complianceViolation(verdict, checkPath(context, verdict))
}

/** The address of the check in this server's console; null without a console or without a check. */
function checkPath({ runtime, authority }: CheckContext, { checkId }: ComplianceVerdict): string | null {
  const mounted: readonly string[] = runtime.settings.PLUMBLINE_MODULES
  if (checkId === undefined || authority.org === null || !mounted.includes('console')) return null
  return `/console/${authority.org.slug}/checks?sheet=${checkId}`
}

const complianceViolation = ({ violations, warnings, checkId }: ComplianceVerdict, path: string | null): Refusal => {
  const blocking = violations.filter(({ severity }) => severity !== 'warning')
  const names = blocking.slice(0, 3).map(({ ruleName }) => ruleName)
  const more = blocking.length > names.length ? ` and ${blocking.length - names.length} more` : ''
  return new Refusal('COMPLIANCE_VIOLATION', `blocked by the rules ${names.join(', ')}${more}`, {
    details: {
      violations,
      warnings,
      ...(checkId === undefined ? {} : { checkId }),
      ...(path === null ? {} : { checkPath: path }),
    },
  })
}

/**
 * Returns the verdict, blocked or not.
 *
 * @throws As `requireCompliance`, except for the violation.
 */
export async function askCompliance(context: CheckContext, request: ComplianceRequest): Promise<ComplianceVerdict> {
  const answer = await answerInTime(context, request)
  if ('verdict' in answer) return answer.verdict
  const { limit, max, actual } = answer.refused
  throw invalid([
    {
      path: '/body',
      message: `has more ${limit} than rules may read: ${actual}, at most ${max}`,
      code: `attribute_${limit}`,
    },
  ])
}

async function answerInTime(context: CheckContext, request: ComplianceRequest): Promise<ComplianceAnswer> {
  const compliance = findPort(context.runtime, compliancePort)
  if (compliance === undefined) throw unavailable(undefined)
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no verdict within ${CHECK_MS_MAX} ms`)
      abort.abort(error)
      reject(error)
    }, CHECK_MS_MAX)
  })
  try {
    return await Promise.race([compliance.check(context, request, abort.signal), late])
  } catch (cause) {
    throw unavailable(cause)
  } finally {
    clearTimeout(timer)
  }
}

const unavailable = (cause: unknown): Refusal =>
  new Refusal(
    'COMPLIANCE_SERVICE_UNAVAILABLE',
    'the compliance check could not be made: nothing was changed, try again',
    {
      headers: { 'Retry-After': '1' },
      cause,
    },
  )

export const compliancePort = port<CompliancePort>('compliance')
