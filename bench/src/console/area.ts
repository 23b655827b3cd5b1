/** The console in Chromium on its demo, and what the server does for it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromiumPath } from '../../../packages/server/test/support/chromium.js'
import type { BenchArea, BenchOptions, BenchTable } from '../harness.js'
import { requestsTable } from './requests.js'
import { seenTable } from './seen.js'
import { servedTable, startDemo } from './served.js'
import { launch } from './visit.js'

const consoleFolder = fileURLToPath(new URL('../../../packages/console', import.meta.url))

/** Into a folder of its own: the build in use stays. */
async function buildSeconds(folder: string): Promise<number> {
  const started = performance.now()
  const args = ['--no-install', 'vite', 'build', '--logLevel', 'error', '--outDir', join(folder, 'built')]
  await promisify(execFile)('npx', args, { cwd: consoleFolder })
  return (performance.now() - started) / 1000
}

export const area: BenchArea = {
  name: 'console',
  summary: 'the console in Chromium, its files and its sessions',
  async run(options: BenchOptions): Promise<BenchTable[]> {
    if (chromiumPath === undefined) throw new Error('no Chromium: apt-get install chromium-headless-shell')
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
    const server = await startDemo(folder)
    const browser = await launch()
    try {
      const seconds = await buildSeconds(folder)
      return [
        await seenTable(browser, server, options, seconds),
        await requestsTable(browser, server, options),
        await servedTable(server, options),
      ]
    } finally {
      await browser.close()
      server.target.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
