/**
 * The server's data without its listener: for what an operator does on the host. Opens the store of the settings, migrates
 * it, hands out the host, and closes everything again; evidence that was written is sealed on the way out.
 */
import { userInfo } from 'node:os'
import { createApp } from './app.js'
import { type ConfigOptions, loadConfig } from './config.js'
import { type Host, prepareFirstStart } from './identity/index.js'
import { createLog } from './runtime/log/log.js'
import { BadSettings } from './runtime/settings/bad-settings.js'
import { openStore } from './store.js'

const SEAL_MS_MAX = 10_000

/** @throws BadSettings with every mistake; Refusal for what the host function refuses. */
export async function withHost<T>(options: ConfigOptions, run: (host: Host) => Promise<T>): Promise<T> {
  const config = loadConfig(options)
  if (!config.ok) throw new BadSettings([...config.issues, ...config.warnings].map(({ message }) => message))
  const { settings } = config
  const store = await openStore(settings)
  try {
    const app = createApp({ store, settings, log: createLog({ level: 'silent' }) })
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
