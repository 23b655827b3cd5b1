/** The tiers by name, as in requests and answers. */
import { tiers } from '@plumbline/billing-core'
import Type from 'typebox'

export const TierName = Type.Enum([...tiers])
