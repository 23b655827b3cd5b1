/** Packing against brute force over every subset, on random catalogues with much overlap and many ties. */
import {
  type Addon,
  type Bundle,
  type Catalogue,
  type Combo,
  cents,
  createCatalogue,
  defaultDefinition,
  type Interval,
  pack,
} from '../src/index.js'
import { must, Random } from './random.js'

export function proveCombos(catalogues: number, seed: number): number {
  const random = new Random(seed)
  for (let index = 0; index < catalogues; index++) {
    const { catalogue, addons } = randomCase(random)
    const interval: Interval = random.chance(0.5) ? 'monthly' : 'annual'
    const chosen = pack(catalogue, addons, interval)
    const expected = bruteForce(catalogue, addons, interval)
    const ids = chosen.combos.map((combo) => combo.comboId).sort()
    must(
      chosen.savingCents === expected.saving && ids.join() === expected.ids.join(),
      () => `seed ${seed}, case ${index}: ${ids.join()} saves ${chosen.savingCents}; ${JSON.stringify(expected)}`,
    )
    const members = chosen.combos.flatMap((combo) => combo.members.map((member) => member.bundleId))
    must(new Set(members).size === members.length, () => `seed ${seed}, case ${index}: a member stands twice`)
    const more = [...addons, { bundleId: random.pick(catalogue.bundles).id, quantity: random.whole(1, 3) }]
    must(
      pack(catalogue, more, interval).savingCents >= chosen.savingCents,
      () => `seed ${seed}, case ${index}: holding more saves less`,
    )
  }
  return catalogues
}

export function randomCase(random: Random, mostCombos = 10): { catalogue: Catalogue; addons: Addon[] } {
  const count = random.whole(2, 8)
  // Few distinct prices make ties common.
  const bundles: Bundle[] = Array.from({ length: count }, (_, index) => ({
    id: `b${index}`,
    name: `b${index}`,
    grants: {},
    features: [],
    prices: { monthly: cents(random.whole(1, 6) * 100), annual: cents(random.whole(1, 6) * 1_000) },
    tiers: ['pro'],
    stackable: true,
    max: 5,
    requires: [],
    sortOrder: random.whole(0, 3),
    isActive: random.chance(0.95),
  }))
  const combos: Combo[] = Array.from({ length: random.whole(0, mostCombos) }, (_, index) => {
    const members = bundles.filter(() => random.chance(2.5 / count))
    const chosen = members.length >= 2 ? members : bundles.slice(0, 2)
    return {
      // Ids out of order, some a prefix of others.
      id: `c${random.whole(0, 9)}${'x'.repeat(random.whole(0, 2))}_${index}`,
      name: `c${index}`,
      members: chosen.map((bundle) => ({ bundleId: bundle.id, minQuantity: random.whole(1, 2) })),
      prices: { monthly: cents(random.whole(0, 9) * 100), annual: cents(random.whole(0, 9) * 1_000) },
      sortOrder: random.whole(0, 3),
      isActive: random.chance(0.95),
    }
  })
  const created = createCatalogue({ ...defaultDefinition, bundles, combos })
  if (!created.ok) throw new Error(created.refusal.message)
  const addons = bundles
    .filter(() => random.chance(0.85))
    .map((bundle) => ({ bundleId: bundle.id, quantity: random.whole(0, 3) }))
  return { catalogue: created.value, addons }
}

/** Every subset of all combos; the rules of the specification spelled out once more. */
function bruteForce(
  catalogue: Catalogue,
  addons: readonly Addon[],
  interval: Interval,
): { saving: number; ids: string[] } {
  const held = new Map<string, number>()
  for (const { bundleId, quantity } of addons) held.set(bundleId, (held.get(bundleId) ?? 0) + quantity)
  const candidates = catalogue.combos
    .filter((combo) => combo.isActive)
    .map((combo) => {
      let separate = 0
      let satisfied = true
      for (const { bundleId, minQuantity } of combo.members) {
        const bundle = catalogue.bundles.find((each) => each.id === bundleId && each.isActive)
        if (bundle === undefined || (held.get(bundleId) ?? 0) < minQuantity) satisfied = false
        separate += (bundle?.prices[interval] ?? 0) * minQuantity
      }
      return { combo, satisfied, saving: Math.max(0, separate - combo.prices[interval]) }
    })
    .filter((each) => each.satisfied && each.saving > 0)
  let best = { saving: 0, ids: [] as string[] }
  for (let subset = 0; subset < 2 ** candidates.length; subset++) {
    const picked = candidates.filter((_, bit) => (subset >> bit) & 1)
    const members = picked.flatMap(({ combo }) => combo.members.map((member) => member.bundleId))
    if (new Set(members).size !== members.length) continue
    const saving = picked.reduce((total, each) => total + each.saving, 0)
    const ids = picked.map(({ combo }) => combo.id).sort()
    if (saving > best.saving || (saving === best.saving && isBefore(ids, best.ids))) best = { saving, ids }
  }
  return best
}

function isBefore(a: readonly string[], b: readonly string[]): boolean {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return (a[index] as string) < (b[index] as string)
  }
  return a.length < b.length
}
