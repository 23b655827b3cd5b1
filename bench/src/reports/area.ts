/** Reports: events as forwarders and forges send them, compared with a bare echo of the same body. */
import { bundle } from '../../../packages/server/proof/bundle.js'
import type { BenchArea } from '../harness.js'
import { ingestTable } from './ingest.js'

export const area: BenchArea = {
  name: 'reports',
  summary: 'events and signed deliveries of a whole server',
  async run(options) {
    const built = await bundle('proof/speed/ingest.ts')
    try {
      return [await ingestTable(built.file, options)]
    } finally {
      built.clean()
    }
  },
}
