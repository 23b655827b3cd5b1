/**
 * Every setting of the server as data, from the declarations of the process and of the domains. The reference page,
 * `config print` and the parser use this table. Limits and prices of tiers have a table of their own in
 * `@plumbline/billing-core`.
 */
import { declared, MODULES } from '../declared.js'
import { given, type Setting } from '../setting/setting.js'
import { choice, list, type SettingType } from '../setting/types.js'

export const CATALOGUE = {
  ...declared('settings'),
  PLUMBLINE_MODULES: given(
    'process',
    list(choice(...MODULES)),
    MODULES,
    'Domains that this process mounts, with their workers',
  ),
}

export type SettingName = keyof typeof CATALOGUE

type ValueOf<S> = S extends { readonly type: SettingType<infer T>; readonly default: infer D }
  ? null extends D
    ? T | null
    : T
  : never

/** The parsed settings by their names. */
export type SettingValues = { readonly [K in SettingName]: ValueOf<(typeof CATALOGUE)[K]> }

/** The table without the types of single settings, for code that iterates over it. */
export const ENTRIES = Object.entries(CATALOGUE) as unknown as readonly (readonly [SettingName, Setting])[]
