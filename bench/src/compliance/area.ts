/**
 * Compliance on a whole server: checks compared with a bare echo, a scan during live checks, rule sets, the catalogue.
 */
import { bundle } from '../../../packages/server/proof/bundle.js'
import type { BenchArea } from '../harness.js'
import { catalogTable } from './catalog.js'
import { checksTable } from './checks.js'
import { ruleSetsTable } from './rule-sets.js'
import { scanTable } from './scan.js'

export const area: BenchArea = {
  name: 'compliance',
  summary: 'checks, scans, rule sets and the catalogue of a whole server',
  async run(options) {
    const built = await bundle('proof/speed/compliance.ts')
    try {
      return [
        await checksTable(built.file, options),
        await scanTable(built.file, options),
        await ruleSetsTable(built.file, options),
        await catalogTable(built.file, options),
      ]
    } finally {
      built.clean()
    }
  },
}
