/**
 * The marketplace, through its SDKs, which are loaded on first use. They do not retry: the row of the hour decides what
 * is sent again and when.
 */
import type { MarketplaceEntitlementServiceClient } from '@aws-sdk/client-marketplace-entitlement-service'
import type { MarketplaceMeteringClient, UsageRecord } from '@aws-sdk/client-marketplace-metering'
import { RECORDS_PER_CALL, type RecordStatus, recordStatuses } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { findPort } from '../../runtime/port.js'
import type { ToldEntitlement } from '../marketplace-tables.js'
import { ProviderFault } from '../provider/fault.js'
import { type Buyer, type HourOfUsage, type Marketplace, type MeterAnswer, marketplacePort } from './port.js'
import { type MarketplaceSettings, marketplaceSettings } from './settings.js'

const TIMEOUT_MS = 10_000
const PAGES_MAX = 20

const METERING = '@aws-sdk/client-marketplace-metering'
const ENTITLEMENT = '@aws-sdk/client-marketplace-entitlement-service'

/** A fake marketplace on this machine does not check credentials. */
const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' }

const ofSettings = perRuntime(({ settings }: Runtime) => openMarketplace(marketplaceSettings(settings)))

/** Returns the marketplace of the process. Proofs provide one of their own. */
export const marketplaceOf = (runtime: Runtime): Marketplace =>
  findPort(runtime, marketplacePort) ?? ofSettings(runtime)

export function openMarketplace(settings: MarketplaceSettings, timeoutMs = TIMEOUT_MS): Marketplace {
  const config = {
    region: settings.region,
    maxAttempts: 1,
    requestHandler: { requestTimeout: timeoutMs, connectionTimeout: timeoutMs, throwOnRequestTimeout: true },
    ...(settings.apiUrl === null ? {} : { endpoint: settings.apiUrl }),
    ...(settings.isLocal ? { credentials: LOCAL_CREDENTIALS } : {}),
  }
  let metering: Promise<MeteringSdk> | undefined
  let entitlement: Promise<EntitlementSdk> | undefined
  const openMetering = (): Promise<MeteringSdk> => {
    metering ??= import('@aws-sdk/client-marketplace-metering').then(
      (sdk) => ({ sdk, client: new sdk.MarketplaceMeteringClient(config) }),
      missing(METERING),
    )
    return metering
  }
  const openEntitlement = (): Promise<EntitlementSdk> => {
    entitlement ??= import('@aws-sdk/client-marketplace-entitlement-service').then(
      (sdk) => ({ sdk, client: new sdk.MarketplaceEntitlementServiceClient(config) }),
      missing(ENTITLEMENT),
    )
    return entitlement
  }
  return {
    resolve: (token) => asked(async () => resolve(await openMetering(), token)),
    entitlements: (buyer) => asked(async () => readEntitlements(await openEntitlement(), buyer)),
    meter: (hour) => asked(async () => report(await openMetering(), hour)),
    check: (ProductCode) =>
      asked(async () => {
        const { sdk, client } = await openEntitlement()
        await client.send(new sdk.GetEntitlementsCommand({ ProductCode, MaxResults: 1 }))
      }),
  }
}

interface MeteringSdk {
  readonly sdk: typeof import('@aws-sdk/client-marketplace-metering')
  readonly client: MarketplaceMeteringClient
}
interface EntitlementSdk {
  readonly sdk: typeof import('@aws-sdk/client-marketplace-entitlement-service')
  readonly client: MarketplaceEntitlementServiceClient
}

const missing = (name: string) => (cause: unknown) => {
  throw new ProviderFault('no_answer', `the package \`${name}\` is not installed: npm install ${name}`, {
    code: 'sdk_missing',
    cause,
  })
}

async function resolve({ sdk, client }: MeteringSdk, token: string): Promise<Buyer> {
  const said = await client.send(new sdk.ResolveCustomerCommand({ RegistrationToken: token }))
  const buyer: Buyer = {
    productCode: said.ProductCode ?? '',
    customerIdentifier: said.CustomerIdentifier ?? null,
    licenseArn: said.LicenseArn ?? null,
    buyerAccount: said.CustomerAWSAccountId ?? null,
  }
  if (buyer.licenseArn === null && buyer.customerIdentifier === null) {
    throw new ProviderFault('refused', 'the marketplace names neither a licence nor a customer', {
      code: 'no_customer',
    })
  }
  return buyer
}

async function readEntitlements({ sdk, client }: EntitlementSdk, buyer: Buyer): Promise<ToldEntitlement[]> {
  const { productCode: ProductCode, licenseArn, customerIdentifier } = buyer
  const Filter: Record<string, string[]> =
    licenseArn === null ? { CUSTOMER_IDENTIFIER: [customerIdentifier ?? ''] } : { LICENSE_ARN: [licenseArn] }
  const found: ToldEntitlement[] = []
  let NextToken: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const said = await client.send(
      new sdk.GetEntitlementsCommand({ ProductCode, Filter, ...(NextToken === undefined ? {} : { NextToken }) }),
    )
    for (const { Dimension, Value = {}, ExpirationDate } of said.Entitlements ?? []) {
      const value = Value.IntegerValue ?? Value.BooleanValue ?? Value.StringValue ?? Value.DoubleValue ?? null
      found.push({ dimension: Dimension ?? '', value, expiresAt: ExpirationDate?.toISOString() ?? null })
    }
    NextToken = said.NextToken
    if (NextToken === undefined || NextToken === '') return found
  }
  throw new ProviderFault('no_answer', `the marketplace lists more than ${PAGES_MAX} pages of entitlements`)
}

async function report({ sdk, client }: MeteringSdk, hour: HourOfUsage): Promise<MeterAnswer> {
  const { buyer, atMs, records } = hour
  if (records.length > RECORDS_PER_CALL) throw new RangeError(`${records.length} records in one call`)
  const Timestamp = new Date(atMs)
  const who = whoOf(buyer)
  const said = await client.send(
    new sdk.BatchMeterUsageCommand({
      ...(buyer.licenseArn === null ? { ProductCode: buyer.productCode } : {}),
      UsageRecords: records.map(
        ({ dimension, quantity }): UsageRecord => ({ Timestamp, Dimension: dimension, Quantity: quantity, ...who }),
      ),
    }),
  )
  const results = (said.Results ?? []).flatMap(({ UsageRecord: record, Status }) => {
    const status = recordStatuses.find((each) => each === Status)
    return record?.Dimension === undefined || status === undefined ? [] : [{ dimension: record.Dimension, status }]
  })
  return { results: results as { dimension: string; status: RecordStatus }[] }
}

/** Never both: an hour that is reported for the product and for the licence would be billed twice. */
function whoOf({ licenseArn, buyerAccount, customerIdentifier }: Buyer): Partial<UsageRecord> {
  // guard: a-record-names-a-licence-or-a-customer
  if (licenseArn === null) return { CustomerIdentifier: customerIdentifier ?? '' }
  return { LicenseArn: licenseArn, ...(buyerAccount === null ? {} : { CustomerAWSAccountId: buyerAccount }) }
}

async function asked<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw toFault(error)
  }
}

/** What the marketplace says of credentials that it does not accept. An operator repairs them. */
const LOCKED_OUT: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationToken',
  'NotAuthorized',
  'OptInRequired',
  'UnrecognizedClientException',
])

/** By what is known of the effect: no answer, busy and failed calls are retried; everything else was refused. */
export function toFault(error: unknown): unknown {
  if (error instanceof ProviderFault || error instanceof RangeError) return error
  if (!(error instanceof Error)) return error
  const { name, message } = error
  const { $metadata, $fault } = error as { $metadata?: { httpStatusCode?: number }; $fault?: string }
  const status = $metadata?.httpStatusCode
  // guard: refused-credentials-refuse-no-usage
  if (LOCKED_OUT.has(name) || status === 401 || status === 403) {
    const said = `the marketplace does not accept the credentials of this host: ${name}`
    return new ProviderFault('no_answer', said, { code: name, cause: error })
  }
  const isRefused =
    status !== undefined && status >= 400 && status < 500 && status !== 429 && name !== 'ThrottlingException'
  if (isRefused && $fault === 'client') {
    return new ProviderFault('refused', `${name}: ${message.slice(0, 300)}`, { code: name, cause: error })
  }
  if (name === 'CredentialsProviderError') {
    return new ProviderFault('no_answer', 'this host has no credentials for the marketplace', {
      code: name,
      cause: error,
    })
  }
  return new ProviderFault('no_answer', `the marketplace does not answer: ${name}`, { code: name, cause: error })
}
