/** How add-ons are named in a request. */
import { MAX_QUANTITY } from '@plumbline/billing-core'
import Type from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'

export const BundleName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Id of a bundle, such as `seat_pack`',
})
export const Quantity = Type.Integer({
  minimum: 0,
  maximum: MAX_QUANTITY,
  description: 'The new quantity, not the number to add',
})

/** Each named add-on is set to its quantity. Add-ons that are not named stay. */
export const AddonList = Type.Array(strictObject({ bundleId: BundleName, quantity: Quantity }), {
  minItems: 1,
  maxItems: 32,
  description: 'Add-ons with their new quantity; 0 removes one. The others stay',
})
