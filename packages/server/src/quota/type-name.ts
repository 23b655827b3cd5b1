/** The types of quotas by name, as requests and answers have them. */
import { quotaTypes } from '@plumbline/billing-core'
import Type from 'typebox'

export const QuotaTypeName = Type.Enum([...quotaTypes])
