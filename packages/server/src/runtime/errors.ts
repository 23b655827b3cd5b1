/**
 * Every refusal of the server, as data: the status, a title, and whether a retry can help. A refusal has a public
 * message and public details. The internal error stays in `cause` and never leaves the process. Source: spec platform
 * 2; spec compliance 21; spec billing-audit 19.
 */
export interface ErrorEntry {
  readonly status: number
  /** What the code means, for the documentation. */
  readonly title: string
}

export const ERROR_CATALOGUE = {
  VALIDATION_ERROR: {
    status: 400,
    title: 'The request does not match the schema; `details.issues` lists every problem',
  },
  MISSING_REQUIRED_FIELD: { status: 400, title: 'A required part of the request is absent' },
  TEMPLATE_UNKNOWN_PATH: { status: 400, title: 'A token refers to a value that does not exist' },
  TEMPLATE_CYCLE: { status: 400, title: 'A token refers to itself, directly or through others' },
  TEMPLATE_PARSE_ERROR: { status: 400, title: 'The syntax of a token is wrong' },
  TEMPLATE_TYPE_MISMATCH: { status: 400, title: 'The value of a token has the wrong type' },
  TEMPLATE_SECRETS_RESERVED: {
    status: 400,
    title: 'Tokens cannot refer to secrets; builds get them through `secret:<name>`',
  },
  TEMPLATE_CONTRACT_VIOLATION: { status: 400, title: 'A template refers to a value that it does not declare' },
  TEMPLATE_SIZE_EXCEEDED: { status: 400, title: 'A text with tokens is too long, or becomes too long' },
  TEMPLATE_VALIDATION_FAILED: { status: 400, title: 'Several tokens are wrong; `details.issues` lists each' },
  DISCOUNT_CEILING_EXCEEDED: { status: 400, title: 'The discount is larger than this deployment allows' },
  DISCOUNT_TIER_MISMATCH: { status: 400, title: 'The discount is not for this tier' },
  PRICE_NOT_CONFIGURED: { status: 400, title: 'The provider has no price for this plan or add-on' },
  MARKETPLACE_TOKEN_INVALID: {
    status: 400,
    title: 'The marketplace does not know the registration token, or it has expired',
  },
  INVALID_SIGNATURE: { status: 400, title: 'The signature of a delivery is missing, malformed, too old or wrong' },
  TOKEN_MISSING: { status: 401, title: 'No credential was sent' },
  TOKEN_INVALID: { status: 401, title: 'The credential is malformed or its signature is wrong' },
  TOKEN_EXPIRED: { status: 401, title: 'The credential has expired' },
  TOKEN_REVOKED: { status: 401, title: 'The credential or its session was revoked' },
  UNAUTHORIZED: { status: 401, title: 'The credentials are wrong' },
  STEP_UP_REQUIRED: { status: 401, title: 'The action needs a fresh confirmation of identity' },
  STEP_UP_INVALID: { status: 401, title: 'The step-up token is malformed or expired' },
  STEP_UP_MISMATCH: { status: 401, title: 'The step-up token belongs to another session or action' },
  STEP_UP_REPLAY: { status: 401, title: 'The step-up token was already used' },
  MFA_REQUIRED: { status: 401, title: 'The password is right; a second factor is needed' },
  SSO_REQUIRED: {
    status: 401,
    title: 'The organization requires its single sign-on; `details.authorizePath` is its address',
  },
  PAYMENT_FAILED: { status: 402, title: 'The payment was declined, so nothing was changed' },
  PAYMENT_METHOD_REQUIRED: { status: 402, title: 'The purchase needs a payment method' },
  INSUFFICIENT_PERMISSIONS: { status: 403, title: 'The caller lacks a right; `details.reason` says which kind' },
  SELF_SERVICE_DISABLED: { status: 403, title: 'The marketplace sells plan and add-ons; change them there' },
  DISCOUNT_NOT_FOR_ORG: { status: 403, title: 'The discount is for another account' },
  ORG_MISMATCH: { status: 403, title: 'The caller does not belong to the organization in `x-org-id`' },
  RESERVED_ORG: { status: 403, title: 'The system organization is reserved' },
  REGISTRATION_CLOSED: { status: 403, title: 'This server accepts new accounts only by invitation, or not at all' },
  COMPLIANCE_VIOLATION: { status: 403, title: 'A compliance rule blocks the change' },
  SSO_REFUSED: {
    status: 403,
    title: 'The sign-on was refused; the audit log of the organization shows the reason to its administrators',
  },
  SEAT_LIMIT: { status: 403, title: 'No seat is free' },
  READ_ONLY_SESSION: { status: 403, title: 'The session is read-only' },
  NOT_FOUND: { status: 404, title: 'The record does not exist, or the caller cannot see it' },
  CLAIM_NOT_FOUND: { status: 404, title: 'No purchase has this claim token; it is valid for 24 hours and for one use' },
  DISCOUNT_NOT_FOUND: { status: 404, title: 'No discount has this code' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path exists, but not with this method' },
  NOT_ACCEPTABLE: { status: 406, title: 'The answer does not exist in the form that `Accept` asks for' },
  REQUEST_TIMEOUT: { status: 408, title: 'The body did not arrive in time, or the client disconnected' },
  CONFLICT: { status: 409, title: 'The current state does not allow it' },
  AMBIGUOUS_EXECUTION: {
    status: 409,
    title: 'Several pipelines have an execution of this id; `details.pipelineIds` names them',
  },
  SCAN_CONFLICT: { status: 409, title: 'A scan of these records is running, or the scan has already ended' },
  DUPLICATE_ENTRY: { status: 409, title: 'A unique value is taken; `details.field` names it' },
  IDEMPOTENCY_CONFLICT: { status: 409, title: 'The event key was used for another event' },
  ALREADY_REDEEMED: { status: 409, title: 'The account has already redeemed this discount' },
  DISCOUNTS_UNSUPPORTED: { status: 409, title: 'The provider of the account cannot apply credit' },
  DISCOUNT_EXHAUSTED: { status: 409, title: 'The discount has reached its limit of redemptions' },
  DISCOUNT_EXPIRED: { status: 409, title: 'The discount has expired' },
  DISCOUNT_INACTIVE: { status: 409, title: 'The discount is not active' },
  DISCOUNT_ZERO_VALUE: { status: 409, title: 'The discount has no value on this plan' },
  PROMOTION_INACTIVE: { status: 409, title: 'The promotion is not active, or not in its window' },
  PROMOTION_NOT_ACTIVATABLE: { status: 409, title: 'The promotion can be granted only by its trigger' },
  RECURRING_ALREADY_PRESENT: { status: 409, title: 'The account already has a recurring discount' },
  SUBSCRIPTION_NOT_REDEEMABLE: { status: 409, title: 'The subscription is not active or trialing' },
  ADDON_OVER_CAP: {
    status: 409,
    title: 'Usage is above the limits without the add-on; `details.overages` lists the limits',
  },
  PLAN_OVER_CAP: { status: 409, title: 'Usage is above the limits of the plan; `details.overages` lists the limits' },
  MANAGED_BY_MARKETPLACE: { status: 409, title: 'The marketplace controls the subscription: change it there' },
  CHANGE_IN_PROGRESS: { status: 409, title: 'The provider has not answered the previous change' },
  PREVIEW_STALE: { status: 409, title: 'The account changed since the preview, or it is too old' },
  TIER_OVER_CAP: { status: 409, title: 'Usage is above the limits of the tier' },
  LAST_PRIVILEGED_MEMBER: { status: 409, title: 'The last holder of the role must stay' },
  OWNER_PROTECTED: { status: 409, title: 'The owner cannot be changed this way' },
  SYSTEM_ROLE_IMMUTABLE: { status: 409, title: 'Built-in roles cannot be changed' },
  INVITATION_EXPIRED: { status: 410, title: 'The invitation has expired' },
  INVITATION_REVOKED: { status: 410, title: 'The invitation was revoked' },
  INVITATION_ACCEPTED: { status: 410, title: 'The invitation was used' },
  INVITATION_DECLINED: { status: 410, title: 'The invitation was declined' },
  PRECONDITION_FAILED: { status: 412, title: 'The record changed since it was read' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is larger than the limit' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The content type is not accepted' },
  RANGE_NOT_SATISFIABLE: { status: 416, title: 'The file does not have the requested `Range`' },
  AI_OUTPUT_INVALID: { status: 422, title: 'No answer of the model passed the checks' },
  AI_KEY_REJECTED: { status: 422, title: 'The provider of the model refused the key' },
  IDEMPOTENCY_MISMATCH: { status: 422, title: 'The Idempotency-Key was used for another request' },
  QUOTA_EXCEEDED: { status: 429, title: 'A quota is used up' },
  AI_BUDGET_EXCEEDED: { status: 429, title: 'The generation budget of the month is used up' },
  RATE_LIMIT_EXCEEDED: { status: 429, title: 'Too many requests' },
  INTERNAL_ERROR: { status: 500, title: 'An unexpected error; the request id finds it in the log' },
  SIGNING_NOT_CONFIGURED: { status: 501, title: 'No signing key is configured' },
  NOT_SUPPORTED: { status: 501, title: 'The provider of this server does not support this' },
  UPSTREAM_ERROR: { status: 502, title: 'An upstream system failed' },
  SERVICE_UNAVAILABLE: { status: 503, title: 'Not available now; try again' },
  PROVIDER_UNAVAILABLE: { status: 503, title: 'The provider does not answer now; try again' },
  COMPLIANCE_SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'The compliance check could not be made, so nothing was changed',
  },
  REGISTRY_NOT_CONFIGURED: { status: 503, title: 'The server has no image registry' },
  BUILDER_UNAVAILABLE: { status: 503, title: 'The server does not build images' },
  AI_NOT_CONFIGURED: { status: 503, title: 'No model provider has a key' },
  EMAIL_NOT_CONFIGURED: { status: 503, title: 'The server cannot send e-mail' },
  UPSTREAM_TIMEOUT: { status: 504, title: 'An upstream system did not answer in time' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERROR_CATALOGUE

export interface RefusalOptions {
  /** Public: leaves the process as `details`. */
  readonly details?: Record<string, unknown>
  /** Public: response headers, such as `Retry-After`. */
  readonly headers?: Record<string, string>
  /** Private: for the log. */
  readonly cause?: unknown
}

/** The only class of refusals. `message` is public: it contains no SQL, no driver text, no path and no secret. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Record<string, unknown> | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.status = ERROR_CATALOGUE[code].status
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

/**
 * 404 that names the kind of record: "Role not found". A record of another tenant gets the same answer.
 * @param advice what is wrong with what was asked for, and the way out.
 */
export const notFound = (entity: string, advice?: string): Refusal =>
  new Refusal('NOT_FOUND', advice === undefined ? `${entity} not found` : `${entity} not found: ${advice}`)

export interface FieldIssue {
  /** JSON pointer from the request: `/body/name`, `/query/limit`, `/path/id`. */
  readonly path: string
  readonly message: string
  readonly code: string
}

/** 400 that lists every problem. */
export function invalid(issues: readonly FieldIssue[]): Refusal {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new Refusal('VALIDATION_ERROR', `${first?.path ?? '/'}: ${first?.message ?? 'invalid'}${more}`, {
    details: { issues },
  })
}

export const invalidField = (path: string, message: string, code = 'invalid'): Refusal =>
  invalid([{ path, message, code }])

/** Why authority is missing (spec platform 2): the reasons of `INSUFFICIENT_PERMISSIONS`. */
export type AuthorityReason =
  | 'permission'
  | 'feature'
  | 'scope'
  | 'ceiling'
  | 'owner'
  | 'system-admin'
  | 'service'
  | 'not-assignable'
  | 'password-change'
  /** The request was not sent by a page of this server. */
  | 'origin'

export function insufficient(reason: AuthorityReason, message: string, details: Record<string, unknown> = {}): Refusal {
  return new Refusal('INSUFFICIENT_PERMISSIONS', message, { details: { reason, ...details } })
}
