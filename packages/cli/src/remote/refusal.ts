/**
 * Converts a refusal of the server to the error that ends a command: its message and code, every problem, and the
 * request id that is in the server's log. Exit 1 if a rule blocks, 2 if the request itself is wrong, otherwise 3.
 */
import type { ApiError } from '@plumbline/client'
import { BlockedError, type CommandError, NotDoneError, UsageError } from '../command.js'
import { printable } from '../program/printable.js'
import { valueText } from '../report/reporter.js'

/** Status codes of requests that the server would refuse every time. */
const WRONG_REQUEST = new Set([400, 406, 413, 415, 422])

/** What the user typed for a place in the request: `--label team`, `<job>`; null for one that nobody typed. */
export type Typed = (part: 'body' | 'query' | 'path', steps: readonly string[]) => string | null
const NOT_TYPED: Typed = () => null

/**
 * @param violationText formats a violation if its position in a file is known.
 * @param typed what the user typed for each field.
 */
export function refusalError(
  error: ApiError,
  violationText: ViolationText = violationLine,
  typed: Typed = NOT_TYPED,
): CommandError {
  const message = `${printable(spoken(error.message, typed))} (${error.code})`
  const details = [
    ...problemLines(error, violationText, typed),
    ...consoleLine(error),
    ...(error.requestId === null ? [] : [`request id: ${printable(error.requestId)}`]),
  ]
  if (error.code === 'COMPLIANCE_VIOLATION') return new BlockedError(message, hintOf(error), details)
  if (WRONG_REQUEST.has(error.status)) return new UsageError(message, hintOf(error), details)
  return new NotDoneError(message, hintOf(error), details)
}

/** The page of the console that shows the check: each rule, what it expected and what it found. */
function consoleLine({ details, origin }: ApiError): string[] {
  const { checkPath } = details
  return typeof checkPath === 'string' && origin !== null ? [`see why: ${printable(`${origin}${checkPath}`)}`] : []
}

/** Users write fields and options, not requests, so this replaces request locations and header names. */
export function spoken(text: string, typed: Typed = NOT_TYPED): string {
  return text
    .replace(/(^|[\s`(])\/(body|query|path)\/([\w./~-]+)/g, (_, before: string, part: Part, pointer: string) => {
      const steps = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      return `${before}${typed(part, steps) ?? steps.join('.')}`
    })
    .replace(/send `(?:\?(\w+)=true|(\w+): true)`/g, (all, query: string | undefined, body: string | undefined) => {
      const option = query === undefined ? typed('body', [body ?? '']) : typed('query', [query])
      return option === null ? all : `give \`${option}\``
    })
    .replaceAll('`x-org-id`', '`--org`')
    .split(': start at `details.', 1)
    .join('')
    .replace(': `GET /auth/me` lists your organizations', '')
    .replace(': set one up (`PUT /organization/:id/idp`)', '')
    .replace(': choose another version, or send `?replace=true`', ': name another version in the prompt')
    .replace('send `?replace=true`', 'give `--replace`')
}

type Part = Parameters<Typed>[0]

/** `/body/props/synth` is the field `/props/synth` of a document. Null for what is not a place in a request. */
export const fieldPointer = (path: string): string | null => /^\/(?:body|query)(\/.*)$/s.exec(path)?.[1] ?? null

/** One line for each problem that is not in the message already. */
export function problemLines(
  { details, message, code }: ApiError,
  violationText: ViolationText = violationLine,
  typed: Typed = NOT_TYPED,
): string[] {
  return Object.entries(details).flatMap(([key, value]) => {
    if (key === 'issues' && Array.isArray(value))
      return value.length > 1 ? value.map((each) => printable(issueText(each, typed))) : []
    if ((key === 'violations' || key === 'warnings') && Array.isArray(value)) {
      return key === 'violations' || details.violations === undefined ? value.map((each) => violationText(each)) : []
    }
    // The challenge is a secret of the sign-in. For missing permissions the message says whether all or any of them are
    // needed.
    if (
      key === 'challengeToken' ||
      key === 'checkPath' ||
      code === 'SSO_REQUIRED' ||
      (key === 'mode' && code === 'INSUFFICIENT_PERMISSIONS') ||
      message.includes(String(value))
    )
      return []
    return [`${key}: ${printable(valueText(value))}`]
  })
}

/** `props.stages.0.steps (line 4): must have an entry`. The message alone for a problem of no field. */
export function issueText(issue: unknown, typed: Typed = NOT_TYPED): string {
  const { path = '', message = '', line } = issue as { path?: string; message?: string; line?: number }
  const isSaid = line === undefined || message.startsWith(`line ${line},`)
  const field = `${spoken(path, typed)}${isSaid ? '' : ` (line ${line})`}`
  return field === '' ? message : `${field}: ${message}`
}

export type ViolationText = (violation: unknown) => string

export interface ServerViolation {
  readonly ruleName: string
  readonly severity: string
  readonly field: string
  readonly message: string
}

export function violationLine(violation: unknown): string {
  const { ruleName, severity, field, message } = violation as ServerViolation
  return printable(`${severity}  ${ruleName}  ${field}: ${message}`)
}

/** For missing inputs of a template, the options that give them. */
function inputHint({ details }: ApiError): string | undefined {
  const issues = Array.isArray(details.issues) ? (details.issues as { path?: string; code?: string }[]) : []
  const missing = issues.flatMap(({ path = '', code }) => {
    const name = /^\/body\/inputs\/(\w[\w-]*)$/.exec(path)?.[1]
    return code === 'required' && name !== undefined ? [`--input ${name}=…`] : []
  })
  return missing.length === 0 ? undefined : `give ${missing.join(' ')}`
}

function hintOf(error: ApiError): string | undefined {
  const inputs = inputHint(error)
  if (inputs !== undefined) return inputs
  if (error.code.startsWith('TOKEN_')) return 'run `plumbline login` again, or make another token'
  if (error.code === 'STEP_UP_REQUIRED') return 'the command asks for your password again: run it on a terminal'
  if (error.code === 'NOT_FOUND' && error.message === 'this path does not exist') {
    return 'if its BASE_PATH is not `/api`, add it to the address: `--url https://plumbline.example.com/base`'
  }
  if (error.code === 'NOT_FOUND' && error.message.startsWith('Organization not found: ')) {
    return 'run `plumbline orgs --json` for the ids of your organizations'
  }
  if (error.code === 'NOT_FOUND' && error.message.startsWith('the organization has no identity provider')) {
    return 'run `plumbline sso setup`'
  }
  if (error.code === 'SSO_REQUIRED') {
    return `run \`plumbline login --sso ${printable(String(error.details.organizationId))}\``
  }
  if (error.code === 'PRECONDITION_FAILED') return 'the record was changed in the meantime: read it and try again'
  if (error.code === 'ORG_MISMATCH') return 'run `plumbline orgs` for your organizations, and name one with --org'
  if (error.code === 'INSUFFICIENT_PERMISSIONS') {
    // The person who requested an exemption cannot approve or reject it, whatever their permissions.
    if (error.message.includes('who requested an exemption cannot')) {
      return 'you requested it: another owner or administrator approves or rejects it'
    }
    if (error.message.includes('only the organization that owns it can decide')) {
      return 'a reviewer of that organization decides: name it with --org if you are one'
    }
    if (error.message.startsWith('this needs a sign-in')) return 'run `plumbline login`, and unset PLUMBLINE_TOKEN'
    // The other reasons, such as `system-admin`, name what no role of the organization gives.
    const { reason, required } = error.details
    const isOfARole = reason === 'permission' && Array.isArray(required) && required.length > 0
    return isOfARole ? 'an owner or administrator of the organization can grant it' : undefined
  }
  if (error.retryAfterSeconds !== null && !error.message.includes(`in ${error.retryAfterSeconds} s`))
    return `try again in ${error.retryAfterSeconds} s`
  return undefined
}
