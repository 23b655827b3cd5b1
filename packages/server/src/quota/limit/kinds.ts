/** How each type is counted (spec platform 12.1): live records, which never reset, or use within a period. */
import type { QuotaType } from '@plumbline/billing-core'

export type QuotaKind = 'capacity' | 'metered'

export const KINDS: Readonly<Record<QuotaType, QuotaKind>> = {
  plugins: 'capacity',
  pipelines: 'capacity',
  apiCalls: 'metered',
  aiCalls: 'metered',
  storageBytes: 'capacity',
  dashboards: 'capacity',
  alertRules: 'capacity',
  alertDestinations: 'capacity',
  idpConfigs: 'capacity',
}
