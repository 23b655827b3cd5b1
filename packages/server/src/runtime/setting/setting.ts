/** How a setting is declared: its name, its form, its default, and who reads it. */
import { tiers } from '@plumbline/billing-core'
import type { SettingType } from './types.js'

export interface Setting<T = unknown> {
  readonly type: SettingType<T>
  /** The value when it is not set; null when there is none. */
  readonly default: T | null
  /** The section of the reference page, with the title that the domain gave it. */
  readonly section: string
  readonly doc: string
  /** Never printed, never logged. */
  readonly secret?: boolean
  /** A process with NODE_ENV=production does not start without it. */
  readonly neededInProduction?: boolean
}

type Rest = Omit<Setting, 'type' | 'default' | 'section' | 'doc'>

export const given = <T>(section: string, type: SettingType<T>, value: T, doc: string, rest: Rest = {}) => ({
  type,
  default: value,
  section,
  doc,
  ...rest,
})

export const optional = <T>(section: string, type: SettingType<T>, doc: string, rest: Rest = {}) => ({
  type,
  default: null,
  section,
  doc,
  ...rest,
})

export const MS_MAX = 2_147_483_647
export const YEAR_S = 366 * 86_400

type PerTier<Prefix extends string, S> = { readonly [T in (typeof tiers)[number] as `${Prefix}${Uppercase<T>}`]: S }

export function perTier<Prefix extends string, S>(prefix: Prefix, make: (tier: (typeof tiers)[number]) => S) {
  return Object.fromEntries(tiers.map((tier) => [`${prefix}${tier.toUpperCase()}`, make(tier)])) as PerTier<Prefix, S>
}
