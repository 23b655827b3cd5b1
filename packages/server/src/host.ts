/**
 * The server's data without its listener: for what an operator does on the host. Opens the store of the settings, migrates
 * it, hands out the host, and closes everything again; evidence that was written is sealed on the way out.
 */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { createApp } from './app.js'
import { type Config, type ConfigOptions, loadConfig } from './config.js'
import { runningServer } from './data-folder.js'
import { type Host, prepareFirstStart } from './identity/index.js'
import { CannotStart } from './runtime/cannot-start.js'
import { createLog } from './runtime/log/log.js'
import { BadSettings } from './runtime/settings/bad-settings.js'
import type { Settings } from './runtime/settings/load.js'
import { whyNotStarted } from './runtime/why-not-started.js'
import { isPostgres, openStore, sqliteFile } from './store.js'

const SEAL_MS_MAX = 10_000

/** @throws BadSettings with every mistake; Refusal for what the host function refuses; CannotStart where a file is in the way. */
export async function withHost<T>(options: ConfigOptions, run: (host: Host) => Promise<T>): Promise<T> {
  let settings: Settings | null = null
  try {
    // Keys are made beside a database only: a command in the wrong folder leaves nothing there.
    const found = loadConfig({ ...options, createKeys: false })
    if (found.ok) assertDatabase(found.settings)
    const config = loadConfig(options)
    if (config.ok) settings = config.settings
    return await runWith(config, run)
  } catch (error) {
    throw whyNotStarted(error, settings) ?? error
  }
}

function assertDatabase(settings: Settings): void {
  if (isPostgres(settings) || existsSync(sqliteFile(settings))) return
  throw new CannotStart(
    `there is no database in DATA_DIR ${resolve(settings.DATA_DIR)}: name the folder of the server with --data or DATA_DIR`,
  )
}

async function runWith<T>(config: Config, run: (host: Host) => Promise<T>): Promise<T> {
  if (!config.ok) throw new BadSettings([...config.issues, ...config.warnings].map(({ message }) => message))
  const { settings } = config
  assertDatabase(settings)
  const url = runningServer(settings) ?? null
  const store = await openStore(settings)
  try {
    const app = createApp({ store, settings, log: createLog({ level: 'silent' }), listensAt: () => url })
    try {
      await prepareFirstStart(app.runtime)
      return await run({ runtime: app.runtime, osUser: userInfo().username })
    } finally {
      await app.drain(SEAL_MS_MAX)
      await app.close()
    }
  } finally {
    await store.close()
  }
}
