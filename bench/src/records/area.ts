/** The inventory: lists of 100,000 records with each documented filter, creates with their checks, and uploads. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../../packages/server/proof/bundle.js'
import type { BenchArea, BenchOptions, BenchTable } from '../harness.js'
import { createTable } from './creates.js'
import { PIPELINE_QUERIES, PLUGIN_QUERIES } from './filters.js'
import { listTable } from './lists.js'
import { ServerProcess, seed } from './process.js'
import { uploadTable } from './uploads.js'

const LISTS = [
  { path: '/pipelines', key: 'pipelines', idDigit: 1, queries: PIPELINE_QUERIES },
  { path: '/plugins', key: 'plugins', idDigit: 2, queries: PLUGIN_QUERIES },
] as const

async function measure(script: string, seeder: string, options: BenchOptions): Promise<BenchTable[]> {
  const rows = options.quick ? 1000 : 100_000
  const scratch = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const [folder, empty] = [mkdtempSync(join(scratch, 'lists-')), mkdtempSync(join(scratch, 'creates-'))]
  let server: ServerProcess | null = null
  try {
    // The creates use a separate organization, because the seed would use up the capacity of the demo tier.
    server = await ServerProcess.start(script, empty)
    const creates = await createTable(server, await server.register(), options)
    await server.stop()
    server = null
    const uploads = await uploadTable(
      () => ServerProcess.start(script, mkdtempSync(join(scratch, 'uploads-'))),
      options,
    )
    server = await ServerProcess.start(script, folder)
    const { orgId, userId } = await server.register()
    await server.stop()
    server = null
    await seed(seeder, folder, { orgId, userId }, rows)
    server = await ServerProcess.start(script, folder)
    const person = await server.signIn(orgId)
    const tables: BenchTable[] = []
    for (const list of LISTS) tables.push(await listTable(server, person, list, { ...options, rows }))
    return [...tables, creates, uploads]
  } finally {
    await server?.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

export const area: BenchArea = {
  name: 'records',
  summary: 'lists of the inventory with every filter, creates with their checks, and uploads',
  async run(options) {
    const main = await bundle('src/main.ts')
    const seeder = await bundle('proof/speed/seed-records.ts')
    try {
      return await measure(main.file, seeder.file, options)
    } finally {
      main.clean()
      seeder.clean()
    }
  },
}
