/** The tiers by name, as requests and answers have them. */
import { tiers } from '@plumbline/billing-core'
import Type from 'typebox'

export const TierName = Type.Enum([...tiers])
