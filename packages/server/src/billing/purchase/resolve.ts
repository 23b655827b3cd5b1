/**
 * `POST /billing/marketplace/resolve`: a buyer arrives from the marketplace with a registration token. The purchase
 * gets an organization without an owner, and a token with which a person takes it over.
 */
import Type, { type Static } from 'typebox'
import { insertOwnerless, newOneTimeToken, tokenHash } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, type Runtime } from '../../runtime/operation/context.js'
import { noTenant, rawCommand } from '../../runtime/operation/operation.js'
import type { RawBody } from '../../runtime/operation/raw.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling, requireSender } from '../account/gate.js'
import { PlanId, StatusName, toCore } from '../account/subscription.js'
import { type BillingWriting, lockRoot, SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { customerKey, findPurchase, findPurchaseByKey, insertPurchase, writePurchase } from '../buyer/record.js'
import { marketplaceOf } from '../marketplace/client.js'
import type { Buyer } from '../marketplace/port.js'
import { marketplaceSettings } from '../marketplace/settings.js'
import type { PurchaseRow, ToldEntitlement } from '../marketplace-tables.js'
import { ProviderFault } from '../provider/fault.js'
import type { SubscriptionRow } from '../tables.js'
import { follow } from './follow.js'
import { purchasePage } from './page.js'

const BODY_BYTES_MAX = 16_384
const TOKEN_CHARS_MAX = 8192
export const CLAIM_MS = 86_400_000
/** The marketplace's name for the token. */
const FORM_FIELD = 'x-amzn-marketplace-token'

const Answer = strictObject({
  message: Type.String(),
  subscription: nullable(strictObject({ id: Uuid, orgId: Uuid, planId: PlanId, status: StatusName })),
  customerIdentifier: nullable(Type.String()),
  claim: nullable(
    strictObject(
      {
        token: Type.String({ description: 'Shown only once; valid for 24 hours and for one claim' }),
        expiresAt: Instant,
      },
      { description: 'Null for a purchase that has an owner' },
    ),
  ),
})

interface Resolved {
  readonly buyer: Buyer
  readonly told: readonly ToldEntitlement[]
  readonly askedAtMs: number
}

export const resolvePurchase = rawCommand({
  name: 'billing.purchase.resolve',
  summary: 'Take over a purchase at the marketplace by its registration token',
  description:
    'The page to which the marketplace sends a buyer posts its token here. For a known purchase that nobody has claimed, the answer is 200 with a new claim token. When `Accept` prefers `text/html`, the answer is a page, for errors too.',
  http: { method: 'post', path: '/billing/marketplace/resolve', status: 201 },
  access: anyone(),
  tenant: noTenant,
  audit: SUBSCRIPTION_ACTIONS,
  silentWhen: 'the purchase is known: only its claim token changes',
  secretOutput: true,
  rateLimit: 'billing-resolve',
  otherStatuses: [200],
  statusOf: ({ message }) => (message === KNOWN ? 200 : undefined),
  input: {},
  output: Answer,
  errors: [
    ...BILLING_ERRORS,
    'MARKETPLACE_TOKEN_INVALID',
    'MISSING_REQUIRED_FIELD',
    'PROVIDER_UNAVAILABLE',
    'VALIDATION_ERROR',
  ],
  raw: {
    bytesMax: BODY_BYTES_MAX,
    atOnceMax: 32,
    refusedIn: 'raw-refused',
    description: `JSON or a form with the registration token in \`${FORM_FIELD}\` or \`token\`.`,
    mediaType: 'application/json',
    page: purchasePage,
  },
  prepare: async ({ runtime }, _input, raw): Promise<Resolved> => {
    requireSender(runtime, 'marketplace')
    const token = tokenOf(raw)
    const marketplace = marketplaceOf(runtime)
    const buyer = await marketplace.resolve(token).catch(tokenRefused)
    // guard: a-purchase-is-of-our-product
    if (buyer.productCode !== marketplaceSettings(runtime.settings).productCode) {
      throw new Refusal('MARKETPLACE_TOKEN_INVALID', 'the token is for another product than MARKETPLACE_PRODUCT_CODE')
    }
    const askedAtMs = runtime.clock.now()
    return { buyer, told: await marketplace.entitlements(buyer).catch(unavailable), askedAtMs }
  },
  async run(context, _input, { buyer, told, askedAtMs }) {
    const writing = context as BillingWriting
    const { tx, runtime } = writing
    const orgId = runtime.ids.next()
    const inserted = await insertPurchase(writing, { id: runtime.ids.next(), orgId, buyer })
    if (inserted !== null) {
      await insertOwnerless(tx, runtime, { id: orgId, name: `Marketplace purchase ${orgId.slice(-8)}` })
      const root = await lockRoot(writing, orgId)
      const { purchase, row } = await follow(writing, { root, purchase: inserted }, told)
      return changed(await answer(writing, purchase, row, NEW))
    }
    const known = await findPurchaseByKey(tx, customerKey(buyer))
    if (known === null) throw new Refusal('PROVIDER_UNAVAILABLE', 'the purchase is being taken over: try again')
    const root = await lockRoot(writing, known.orgId)
    const current = await findPurchase(tx, known.id)
    // A claim, or a later read of the entitlements, may have been committed while this waited for the account.
    if (current === null || current.orgId !== root.id || current.entitlementsAtMs > askedAtMs) {
      throw new Refusal('PROVIDER_UNAVAILABLE', 'the purchase changed meanwhile: try again')
    }
    const { purchase, row } = await follow(writing, { root, purchase: current }, told)
    // A change at the marketplace without a notice is applied here too, and is then recorded as evidence.
    return changed(await answer(writing, purchase, row, KNOWN))
  },
})

const NEW = 'the purchase was taken over: claim it by its token'
const KNOWN = 'the purchase is known'

async function answer(
  writing: BillingWriting,
  purchase: PurchaseRow,
  row: SubscriptionRow | null,
  message: string,
): Promise<Static<typeof Answer>> {
  const { nowMs } = writing
  const { customerIdentifier, orgId } = purchase
  const subscription =
    row === null ? null : { id: row.id, orgId, planId: toCore(row).planId, status: toCore(row).status }
  const about = { message, subscription, customerIdentifier }
  // guard: a-claimed-purchase-gives-no-claim
  if (purchase.claimedAtMs !== null) return { ...about, claim: null }
  const token = newOneTimeToken()
  const claimExpiresAtMs = nowMs + CLAIM_MS
  await writePurchase(writing, purchase, { claimHash: tokenHash(token), claimExpiresAtMs })
  return { ...about, claim: { token, expiresAt: toIso(claimExpiresAtMs) } }
}

/** @throws Refusal 400 or 503 when the provider is not the marketplace. */
/**
 * For what an account asks.
 *
 * @throws Refusal 409 where the marketplace does not charge, 503 while billing is off.
 */
export function requireMarketplace(runtime: Pick<Runtime, 'settings'>): void {
  requireBilling(runtime)
  const { BILLING_PROVIDER: provider } = runtime.settings
  if (provider === 'marketplace') return
  throw new Refusal(
    'CONFLICT',
    `no purchase at a marketplace counts here, because BILLING_PROVIDER of this server is \`${provider}\`: GET /billing/subscription shows what the account has, and an operator sells through a marketplace with BILLING_PROVIDER=marketplace`,
    { details: { provider } },
  )
}

function tokenOf({ bytes, mediaType }: RawBody): string {
  const text = bytes.toString('utf8')
  const fields = mediaType === 'application/x-www-form-urlencoded' ? formOf(text) : jsonOf(text)
  // The server makes the organization: a buyer names none.
  // guard: a-buyer-names-no-organization
  if ('orgId' in fields) throw invalidField('/body/orgId', 'is not taken here: claim the purchase for it', 'unknown')
  const token = fields[FORM_FIELD] ?? fields['token']
  if (token === undefined || token === '') {
    throw new Refusal('MISSING_REQUIRED_FIELD', `the registration token is absent: send it in \`${FORM_FIELD}\``, {
      details: { field: FORM_FIELD },
    })
  }
  if (typeof token !== 'string' || token.length > TOKEN_CHARS_MAX) {
    throw invalidField(`/body/${FORM_FIELD}`, `must be a text of at most ${TOKEN_CHARS_MAX} characters`, 'token')
  }
  return token
}

const formOf = (text: string): Record<string, unknown> => Object.fromEntries(new URLSearchParams(text))

function jsonOf(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidField('/body', 'is neither JSON nor a form', 'json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('/body', 'must be an object', 'json')
  }
  return value as Record<string, unknown>
}

const TOKEN_CODES: ReadonlySet<string> = new Set(['InvalidTokenException', 'ExpiredTokenException'])

function tokenRefused(error: unknown): never {
  if (error instanceof ProviderFault && TOKEN_CODES.has(error.code)) {
    throw new Refusal(
      'MARKETPLACE_TOKEN_INVALID',
      'the marketplace does not know the registration token, or it has expired: open the product at the marketplace again',
      { cause: error },
    )
  }
  return unavailable(error)
}

/** @throws Refusal 503 with the marketplace's error code. */
export function unavailable(error: unknown): never {
  if (!(error instanceof ProviderFault)) throw error
  throw new Refusal('PROVIDER_UNAVAILABLE', 'the marketplace does not answer: try again', {
    details: { providerCode: error.code },
    cause: error,
  })
}
