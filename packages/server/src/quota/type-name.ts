/** The names of the quota types in requests and answers. */
import { quotaTypes } from '@plumbline/billing-core'
import Type from 'typebox'

export const QuotaTypeName = Type.Enum([...quotaTypes])
