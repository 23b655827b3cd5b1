/**
 * What billing needs from a marketplace. The marketplace decides who is entitled to what; usage is the only thing that
 * is reported to it.
 */
import type { RecordStatus } from '@plumbline/billing-core'
import { port } from '../../runtime/port.js'
import type { ToldEntitlement } from '../marketplace-tables.js'

/** The buyer: an older listing identifies a customer of a product, a newer one the buyer's account and a licence. */
export interface Buyer {
  readonly productCode: string
  readonly customerIdentifier: string | null
  readonly licenseArn: string | null
  readonly buyerAccount: string | null
}

export interface UsageRecord {
  readonly dimension: string
  readonly quantity: number
}

export interface HourOfUsage {
  readonly buyer: Buyer
  /** The start of the hour. */
  readonly atMs: number
  readonly records: readonly UsageRecord[]
}

export interface MeterAnswer {
  /** The records that it answered for. The other records must be sent again. */
  readonly results: readonly { readonly dimension: string; readonly status: RecordStatus }[]
}

/** @throws ProviderFault from every method. */
export interface Marketplace {
  resolve(token: string): Promise<Buyer>
  entitlements(buyer: Buyer): Promise<readonly ToldEntitlement[]>
  meter(hour: HourOfUsage): Promise<MeterAnswer>
  /** Checks that the marketplace answers for the product. */
  check(productCode: string): Promise<void>
}

export const marketplacePort = port<Marketplace>('marketplace')
