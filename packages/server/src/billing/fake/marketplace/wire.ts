/** Answers the calls of the real SDKs, with the SDKs' types. */

import type { GetEntitlementsRequest, GetEntitlementsResult } from '@aws-sdk/client-marketplace-entitlement-service'
import type {
  BatchMeterUsageRequest,
  BatchMeterUsageResult,
  ResolveCustomerRequest,
  ResolveCustomerResult,
  UsageRecord,
} from '@aws-sdk/client-marketplace-metering'
import { DAY_MS, HOUR_MS } from '../../../runtime/clock.js'
import { meteredKey, nextId, type State, type Subscriber } from './state.js'

/** An answer with an error, as the service names it. */
export class WireError extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

export interface Serving {
  readonly state: State
  readonly nowMs: number
  /** How many records of a call it accepts; it leaves the others unprocessed. */
  readonly takes: number
}

const RECORDS_MAX = 25
const bad = (type: string, message: string): WireError => new WireError(400, type, message)

/** The protocol has seconds where the types have dates. */
type Wired<T> = T extends Date
  ? number
  : T extends readonly (infer E)[]
    ? Wired<E>[]
    : T extends object
      ? { [K in keyof T]: Wired<T[K]> }
      : T

export const OPERATIONS: Readonly<Record<string, (serving: Serving, body: never) => object>> = {
  'AWSMPMeteringService.ResolveCustomer': resolveCustomer,
  'AWSMPMeteringService.BatchMeterUsage': batchMeterUsage,
  'AWSMPEntitlementService.GetEntitlements': getEntitlements,
}

function resolveCustomer(
  { state, nowMs }: Serving,
  { RegistrationToken }: ResolveCustomerRequest,
): ResolveCustomerResult {
  const known = state.tokens.get(RegistrationToken ?? '')
  const subscriber = known === undefined ? undefined : state.subscribers.get(known.subscriber)
  if (known === undefined || subscriber === undefined)
    throw bad('InvalidTokenException', 'Registration token is invalid.')
  if (known.untilMs <= nowMs) throw bad('ExpiredTokenException', 'Registration token has expired.')
  return {
    ProductCode: state.productCode,
    CustomerAWSAccountId: subscriber.account,
    ...(subscriber.customerIdentifier === null ? {} : { CustomerIdentifier: subscriber.customerIdentifier }),
    ...(subscriber.licenseArn === null ? {} : { LicenseArn: subscriber.licenseArn }),
  }
}

function getEntitlements(
  { state, nowMs }: Serving,
  { ProductCode, Filter = {} }: GetEntitlementsRequest,
): Wired<GetEntitlementsResult> {
  if (ProductCode !== state.productCode) throw bad('InvalidParameterException', 'Product code is not known.')
  const [customer] = Filter.CUSTOMER_IDENTIFIER ?? []
  const [license] = Filter.LICENSE_ARN ?? []
  const found = [...state.subscribers.values()].filter((each) =>
    license === undefined ? each.customerIdentifier === customer : each.licenseArn === license,
  )
  return {
    Entitlements: found.flatMap((each) =>
      each.entitlements
        .filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs)
        .map(({ dimension, value, expiresAtMs }) => ({
          ProductCode,
          Dimension: dimension,
          ...identityOf(each),
          Value: entitlementValue(value),
          ...(expiresAtMs === null ? {} : { ExpirationDate: expiresAtMs / 1000 }),
        })),
    ),
  }
}

const identityOf = ({ customerIdentifier, licenseArn, account }: Subscriber) => ({
  CustomerAWSAccountId: account,
  ...(customerIdentifier === null ? {} : { CustomerIdentifier: customerIdentifier }),
  ...(licenseArn === null ? {} : { LicenseArn: licenseArn }),
})

function entitlementValue(value: number | boolean | string) {
  if (typeof value === 'number') return { IntegerValue: value }
  return typeof value === 'boolean' ? { BooleanValue: value } : { StringValue: value }
}

function batchMeterUsage(serving: Serving, request: Wired<BatchMeterUsageRequest>): Wired<BatchMeterUsageResult> {
  const { state, takes } = serving
  const records = request.UsageRecords ?? []
  if (records.length > RECORDS_MAX) throw bad('ValidationException', 'At most 25 records.')
  const Results: NonNullable<Wired<BatchMeterUsageResult>['Results']> = []
  const UnprocessedRecords: Wired<UsageRecord>[] = []
  const checked = records.map((record) => ({ record, of: subscriberOf(serving, request.ProductCode, record) }))
  checked.forEach(({ record, of }, at) => {
    if (at >= takes) UnprocessedRecords.push(record)
    else Results.push(take(state, of, record))
  })
  return { Results, UnprocessedRecords }
}

/** Finds the subscriber of a record. A record that is too late is refused, and with it the call. */
function subscriberOf(
  { state, nowMs }: Serving,
  productCode: string | undefined,
  record: Wired<UsageRecord>,
): Subscriber {
  const { LicenseArn: license, CustomerIdentifier: customer, CustomerAWSAccountId: account, Timestamp } = record
  if (license !== undefined && (productCode !== undefined || customer !== undefined)) {
    throw bad('ValidationException', 'A record names a license, or product code and customer.')
  }
  if (license === undefined && productCode !== state.productCode) {
    throw bad('InvalidProductCodeException', 'Product code is not known.')
  }
  const found = [...state.subscribers.values()].find((each) =>
    license === undefined ? each.customerIdentifier === customer : each.licenseArn === license,
  )
  if (found === undefined) {
    throw license === undefined
      ? bad('InvalidCustomerIdentifierException', 'The customer is not known.')
      : bad('InvalidLicenseException', 'The license is not known.')
  }
  if (license !== undefined && account !== found.account) {
    throw bad('InvalidLicenseException', 'The license is of another account.')
  }
  const atMs = (Timestamp ?? 0) * 1000
  if (atMs > nowMs || nowMs >= refusedFrom(atMs)) {
    throw bad('TimestampOutOfBoundsException', 'The timestamp is out of bounds.')
  }
  return found
}

/** After 24 hours; for the month before at 06:00 on the first. */
function refusedFrom(atMs: number): number {
  const at = new Date(atMs)
  return Math.min(atMs + DAY_MS, Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1, 6))
}

function take(state: State, subscriber: Subscriber, record: Wired<UsageRecord>) {
  const dimension = record.Dimension ?? ''
  const quantity = record.Quantity ?? 0
  const hourMs = Math.floor(((record.Timestamp ?? 0) * 1000) / HOUR_MS) * HOUR_MS
  if (!subscriber.isSubscribed) return { UsageRecord: record, Status: 'CustomerNotSubscribed' as const }
  const key = meteredKey(subscriber.id, dimension, hourMs)
  const known = state.metered.get(key)
  if (known !== undefined && known.quantity !== quantity) {
    return { UsageRecord: record, Status: 'DuplicateRecord' as const }
  }
  const id = known?.id ?? `mr-${nextId(state)}`
  state.metered.set(key, { subscriber: subscriber.id, dimension, hourMs, quantity, id })
  return { UsageRecord: record, Status: 'Success' as const, MeteringRecordId: id }
}
