/** A change of add-ons in the API. Preview, commit and removal return the same shape. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { choice, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { presentSubscription, SubscriptionView } from '../account/subscription.js'
import { type Asked, type AskedAddon, type PlannedChange, WHENS } from '../change/plan-change.js'
import { AddonList, BundleName, Quantity } from '../subscription/addon-body.js'
import { effectsOf, presentEffects } from '../subscription/change-view.js'
import { PreviewToken } from '../subscription/preview-token.js'
import type { SubscriptionRow } from '../tables.js'

export const AddonPath = Type.Object({ id: Uuid })

export const When = Type.Optional(
  choice(WHENS, { description: '`period_end`: in force and charged from the next period on. `now` is the default' }),
)

/** One bundle with its quantity, or several in `addons`. */
export const AddonBody = strictObject({
  bundleId: Type.Optional(BundleName),
  quantity: Type.Optional(Quantity),
  addons: Type.Optional(AddonList),
  when: When,
})

export const AddonCommitBody = strictObject({ ...AddonBody.properties, previewToken: Type.Optional(PreviewToken) })

interface Named {
  readonly bundleId?: string | undefined
  readonly quantity?: number | undefined
  readonly addons?: readonly AskedAddon[] | undefined
}

export const namedAddons = ({ bundleId, quantity = 1, addons }: Named): readonly AskedAddon[] =>
  addons ?? (bundleId === undefined ? [] : [{ bundleId, quantity }])

/**
 * Returns the change of add-ons that a body asks for. An absent quantity is 1. A quantity of 0 removes the add-on in a preview, and
 * counts as 1 in a change.
 *
 * @throws Refusal 400 `MISSING_REQUIRED_FIELD` for a body that names no add-on.
 */
export function askedOf({ when, ...named }: Named & Pick<Asked, 'when'>, mode: 'preview' | 'commit'): Asked {
  const isOneAddon = named.addons === undefined
  return { addons: askedAddons(named, mode), isOneAddon, ...(when === undefined ? {} : { when }) }
}

function askedAddons({ bundleId, quantity = 1, addons }: Named, mode: 'preview' | 'commit'): AskedAddon[] {
  const named = namedAddons({ bundleId, quantity, addons })
  if (named.length === 0) {
    throw new Refusal('MISSING_REQUIRED_FIELD', 'name a bundle: bundleId, or addons with several', {
      details: { field: 'bundleId' },
    })
  }
  if (mode === 'preview' || addons !== undefined) return [...named]
  return named.map((each) => ({ ...each, quantity: Math.max(1, each.quantity) }))
}

const shared = { ...effectsOf, cascaded: Type.Array(Type.String({ description: 'Bundles that are removed with it' })) }

export const AddonPreviewView = strictObject({ ...shared, previewToken: Type.String() })
export const AddonChangeView = strictObject({ ...shared, subscription: SubscriptionView, invoiceId: nullable(Uuid) })

export const presentAddonEffects = (runtime: Pick<Runtime, 'settings'>, planned: PlannedChange) => ({
  ...presentEffects(runtime, planned),
  cascaded: planned.cascaded.map(({ bundleId }) => bundleId),
})

export const presentAddonChange = (
  runtime: Pick<Runtime, 'settings'>,
  planned: PlannedChange,
  { row, invoiceId }: { readonly row: SubscriptionRow; readonly invoiceId: string | null },
) => ({
  ...presentAddonEffects(runtime, planned),
  subscription: presentSubscription(runtime, row),
  invoiceId,
})
