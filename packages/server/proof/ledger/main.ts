/**
 * `npm run proof -- ledger [--mutations 2000] [--seed 1]`: an exported credit ledger is changed in every way that a row can be,
 * and each change must be found; one that changes a fact of one row must name that row.
 */

import { parseArgs } from 'node:util'
import { type HashedLedgerRow, ledgerHash, ledgerSealOf, verifyLedger } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { checkLedger, type LedgerRow } from '@plumbline/billing-core'
import { BillingWorld, DAY_MS } from '../../test/support/billing.js'
import { evidenceRows } from '../../test/support/organizations.js'
import { sqliteStore } from '../../test/support/stores.js'
import { createRandom, type Random } from '../world/random.js'

type Row = HashedLedgerRow & LedgerRow

const { values } = parseArgs({
  options: { mutations: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
})
const [mutations, seed] = [Number(values.mutations), Number(values.seed)]
if (![mutations, seed].every((each) => Number.isSafeInteger(each) && each > 0)) {
  console.error('--mutations and --seed must be whole numbers from 1')
  process.exit(2)
}

const { orgId, rows, seals } = await livedLedger()
const found = (changed: readonly Row[]) => {
  const report = verifyLedger(nodeCrypto, { rows: changed, seals, orgId })
  return [
    ...report.findings.map(({ reason, rowId }) => ({ reason: reason as string, rowId })),
    ...checkLedger(changed).map(({ code, rowId }) => ({ reason: code as string, rowId })),
  ]
}
if (rows.length < 20 || found(rows).length > 0) throw new Error(`the ledger itself does not hold: ${rows.length} rows`)

const random = createRandom(seed)
const tally = new Map<string, number>()
for (let round = 0; round < mutations; round++) {
  const { kind, changed, names } = mutate(random)
  const findings = found(changed)
  const isNamed = names === null || findings.some(({ rowId }) => rowId === names)
  if (findings.length === 0 || !isNamed) {
    console.error(`mutation ${round} of seed ${seed} (${kind}) was not found${isNamed ? '' : ` at row ${names}`}`)
    process.exit(1)
  }
  tally.set(kind, (tally.get(kind) ?? 0) + 1)
}
const kinds = [...tally].map(([kind, count]) => `${count} ${kind}`).join(', ')
console.log(`ledger: ${mutations} changes of an export of ${rows.length} rows, all found: ${kinds}`)
process.exit(0)

/** Two years of an account: credit that comes back with changes of plan, is used by invoices, and comes with each period. */
async function livedLedger() {
  const world = await BillingWorld.start(await sqliteStore())
  const ada = await world.account()
  const { id } = await ada.subscribe('enterprise')
  await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'seat_pack', quantity: 2 })
  for (let month = 0; month < 24; month++) {
    const planId = ['team', 'enterprise', 'pro'][month % 3]
    const changed = await ada.call('PUT', `/billing/subscriptions/${id}`, { planId })
    if (changed.status !== 200) throw new Error(JSON.stringify(changed.body))
    await ada.later(31 * DAY_MS)
    await world.run('billing.lifecycle', 'billing.ledger-seal')
    await ada.signInAgain()
  }
  const headers = { authorization: `Bearer ${ada.person.accessToken}`, 'x-org-id': ada.orgId }
  const response = await world.app.http.request('/api/billing/ledger/export', { headers })
  const [, ...lines] = (await response.text()).trimEnd().split('\n')
  const told = (await evidenceRows(world.app, ada.orgId)).map(ledgerSealOf).filter((each) => each !== null)
  await world.store.close()
  return { orgId: ada.orgId, rows: lines.map((line) => JSON.parse(line) as Row), seals: told }
}

interface Mutation {
  readonly kind: string
  readonly changed: readonly Row[]
  /** The row that must be named; null where the change is of no single row. */
  readonly names: string | null
}

function mutate(random: Random): Mutation {
  const at = random.below(rows.length)
  const row = rows[at] as Row
  const others = (replaced: Row) => rows.map((each, index) => (index === at ? replaced : each))
  switch (random.below(7)) {
    case 0:
    case 1:
      return digit(random, row, others)
    case 2:
      return { kind: 'rows dropped', changed: rows.filter((_each, index) => index !== at), names: null }
    case 3:
      return { kind: 'ends cut off', changed: rows.slice(0, at), names: null }
    case 4: {
      const to = (at + 1 + random.below(rows.length - 1)) % rows.length
      const moved = rows.filter((_each, index) => index !== at)
      return { kind: 'rows moved', changed: [...moved.slice(0, to), row, ...moved.slice(to)], names: null }
    }
    case 5:
      return { kind: 'rows doubled', changed: [...rows.slice(0, at), row, ...rows.slice(at)], names: null }
    default: {
      // Somebody who knows how the hashes are made: from this row on they fit again, and the seal does not.
      const forged = rehashed(others({ ...row, cents: (row.cents + 1 + random.below(100)) as Row['cents'] }))
      return { kind: 'chains forged', changed: forged, names: null }
    }
  }
}

/** One digit of one fact, or of what follows from the facts. */
function digit(random: Random, row: Row, others: (replaced: Row) => readonly Row[]): Mutation {
  const { actorId: _actor, fulfillmentRef: _ref, ...facts } = row
  const text = JSON.stringify(facts)
  const places = [...text].flatMap((each, index) => (/\d/.test(each) ? [index] : []))
  for (;;) {
    const place = places[random.below(places.length)] as number
    const other = String((Number(text[place]) + 1 + random.below(9)) % 10)
    const put = `${text.slice(0, place)}${other}${text.slice(place + 1)}`
    let replaced: Row
    try {
      replaced = { ...(JSON.parse(put) as Row), actorId: row.actorId, fulfillmentRef: row.fulfillmentRef }
    } catch {
      // A number that begins with 0 is not JSON: no reader takes the file.
      continue
    }
    // Where the id itself changed the row has another name.
    return { kind: 'digits changed', changed: others(replaced), names: replaced.id }
  }
}

function rehashed(changed: readonly Row[]): readonly Row[] {
  let previous = ''
  return changed.map((row) => {
    previous = ledgerHash(nodeCrypto, previous, row)
    return { ...row, hash: previous }
  })
}
