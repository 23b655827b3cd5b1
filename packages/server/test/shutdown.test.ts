/** A shutdown waits for what runs; told a second time it waits for nothing, and leaves a state that the next start goes on from. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Type from 'typebox'
import { expect, it, vi } from 'vitest'
import { defineJob } from '../src/runtime/jobs/define.js'
import { silentLog } from '../src/runtime/log/log.js'
import { none } from '../src/runtime/operation/operation.js'
import { startServer } from '../src/server.js'
import { jobKit } from './support/job-kit.js'
import { TEST_ENVIRONMENT } from './support/settings.js'
import { sqliteStore } from './support/stores.js'

it('hands a job back at once when its draining is cut', async () => {
  const store = await sqliteStore()
  const kit = jobKit(store)
  const job = defineJob({
    kind: 'long',
    payload: Type.Object({}),
    audit: none('a test'),
    run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  await kit.add({ kind: 'long', payload: {} })
  const background = kit.background([job])
  background.worker.wake()
  await vi.waitFor(() => expect(background.worker.running).toBe(1), { timeout: 60_000 })
  const drained = background.drain(3_600_000)
  background.cut()
  await drained
  expect(await kit.rows()).toMatchObject([{ state: 'waiting', attempts: 0 }])
  await store.close()
})

it('cuts what a server is draining when it is told to stop again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-shutdown-'))
  const environment = { ...TEST_ENVIRONMENT, DATA_DIR: folder, PORT: '0', SHUTDOWN_DELAY_MS: '600000' }
  const server = await startServer({ environment, log: silentLog })
  const cut = vi.spyOn(server.app.background, 'cut')
  const stopped = server.stop()
  void server.stop()
  expect(await stopped).toBe(false)
  expect(cut).toHaveBeenCalledOnce()
  rmSync(folder, { recursive: true, force: true })
})
