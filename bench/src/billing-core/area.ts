/**
 * Billing: the speed of the calculations of a request, and of the same work with dinero.js where it has an equivalent.
 * Contenders that do the same work must agree on every figure before anything is measured.
 */
import type { BenchArea, BenchOptions, BenchTable } from '../harness.js'
import { ledgerTable, replayTable } from './ledger.js'
import { limitsTable } from './limits.js'
import { moneyTable } from './money.js'
import { packingTable } from './packing.js'

export const area: BenchArea = {
  name: 'billing-core',
  summary: 'limits, combos, ledger and money arithmetic',
  run: async (options: BenchOptions): Promise<BenchTable[]> => [
    limitsTable(options),
    packingTable(options),
    ledgerTable(options),
    replayTable(options),
    ...moneyTable(options),
  ],
}
