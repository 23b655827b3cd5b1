/** An account that is close to a limit, as the API shows it. */
import Type from 'typebox'
import { PAGE_FIELDS } from '../../runtime/operation/list.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { AtRiskEntry } from '../quota/schema.js'
import { QuotaTypeName } from '../type-name.js'

export const THRESHOLD_DEFAULT = 80

export const wanted = Type.Object({
  ...PAGE_FIELDS,
  threshold: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: THRESHOLD_DEFAULT, description: 'Percent of the limit' }),
  ),
  type: Type.Optional(QuotaTypeName),
})

export const AtRisk = strictObject({
  atRisk: Type.Array(AtRiskEntry),
  count: Type.Integer({ minimum: 0, description: 'On this page' }),
  total: Type.Integer({ minimum: 0 }),
  threshold: Type.Integer({ minimum: 1, maximum: 100 }),
  complete: Type.Literal(true),
})
