/**
 * Starts and stops the process: settings ► store ► migrations ► app ► listen. Stopping is the same way back: not ready,
 * no new connections, requests and jobs finished, evidence sealed, database closed.
 */
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { createAdaptorServer } from '@hono/node-server'
import { type App, createApp } from './app.js'
import { refuseRolledBack } from './audit/index.js'
import { type Config, type ConfigOptions, loadConfig } from './config.js'
import { checkWritable, otherServer, useFolder } from './data-folder.js'
import { makeDemo } from './demo/make.js'
import { createDemoReports } from './demo/reports.js'
import { addressText, demoText, wantsDemo } from './demo/text.js'
import { DOMAINS } from './domains.js'
import { prepareFirstStart } from './identity/index.js'
import { answerUnread, HEAD_BYTES_MAX } from './runtime/http/unread-request.js'
import { createLog, type Log } from './runtime/log/log.js'
import { BadSettings } from './runtime/settings/bad-settings.js'
import type { Settings } from './runtime/settings/load.js'
import { configNotes } from './runtime/settings/print.js'
import type { Store } from './runtime/store/db.js'
import { whyNotStarted } from './runtime/why-not-started.js'
import { isPostgres, openStore } from './store.js'

export interface RunningServer {
  /** `http://127.0.0.1:3000`. */
  readonly url: string
  readonly app: App
  readonly log: Log
  /** Drains and closes. Called again, or after the grace, it cuts what is left. @returns true when nothing was cut. */
  stop(): Promise<boolean>
}

export interface ServerOptions extends ConfigOptions {
  readonly log?: Log
  /** Where what is not for the log is shown: standard error unless said. */
  readonly print?: (text: string) => void
}

/**
 * @throws BadSettings with every mistake, and where the port or the database cannot be had; ForeignSchema; CannotStart where
 * a file or folder is in the way. Nothing of the process goes on then.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let settings: Settings | null = null
  try {
    const config = loadConfig(options)
    if (config.ok) settings = config.settings
    return await startWith(config, options)
  } catch (error) {
    throw whyNotStarted(error, settings) ?? error
  }
}

async function startWith(config: Config, options: ServerOptions): Promise<RunningServer> {
  // A name that nobody knows is often the cause of what is missing.
  if (!config.ok) throw new BadSettings([...config.issues, ...config.warnings].map(({ message }) => message))
  const { settings, warnings } = config
  const log = options.log ?? createLog({ level: settings.LOG_LEVEL, isText: isTextLog(settings) })
  for (const { name, message } of warnings) log.write('server.setting_warned', { setting: name }, message)
  const isFile = !isPostgres(settings)
  if (isFile) checkWritable(settings)
  const other = isFile ? otherServer(settings.DATA_DIR) : null
  const store = await openStore(settings, log)
  let app: App | null = null
  try {
    const print = options.print ?? ((text: string) => void process.stderr.write(text))
    let url: string | null = null
    app = createApp({ store, settings, log, print, listensAt: () => url })
    app.health.starting()
    await refuseRolledBack(app.runtime)
    await prepareFirstStart(app.runtime)
    for (const { firstContent } of DOMAINS) await firstContent?.(app.runtime)
    const listener = await listen(app, settings, log)
    url = urlOf(listener.server.address() as AddressInfo, settings)
    // After listening: where the port is taken, nothing is made whose secrets were never shown.
    try {
      const demo = wantsDemo(settings) ? await makeDemo({ runtime: app.runtime, store, settings, log }) : null
      if (demo !== null) print(demoText(demo, { url, settings }) + (await createDemoReports(app, demo, url, settings)))
      else if (isTextLog(settings)) print(addressText(url, settings))
    } catch (error) {
      listener.server.close()
      throw error
    }
    app.start()
    app.health.started()
    log.write('server.ready', { url, docs: `${url}${settings.BASE_PATH}/docs`, database: store.database })
    for (const note of configNotes(config)) log.write('server.setting_noted', {}, note)
    if (other !== null) log.write('server.data_folder_shared', { ...other })
    const release = isFile ? useFolder(settings.DATA_DIR, url) : () => undefined
    const stopWatching = app.health.watch((name, problem) => {
      if (problem === null) log.write('health.check_recovered', { check: name }, `${name} answers again`)
      else log.write('health.check_failed', { check: name, problem }, `${name}: ${problem}`)
    })
    const stop = stopper({ app, log, settings, store, listener })
    return {
      url,
      app,
      log,
      stop: () => {
        stopWatching()
        release()
        return stop()
      },
    }
  } catch (error) {
    // What was written until then is sealed; the error that is told is the first one.
    await app?.drain(SEAL_MS_MAX).catch(() => undefined)
    await app?.close().catch(() => undefined)
    await store.close()
    throw error
  }
}

/** Lines for people on a terminal, JSON everywhere else, unless the settings say which. */
const isTextLog = ({ LOG_FORMAT }: Settings): boolean =>
  LOG_FORMAT === 'text' || (LOG_FORMAT === 'auto' && process.stdout.isTTY === true)

/** How long the end of a start that failed may take. */
const SEAL_MS_MAX = 5000

interface Listener {
  readonly server: ReturnType<typeof createAdaptorServer>
}

/** Headers arrive soon, or the connection is closed; how often Node looks adds to it. */
const HEADERS = { headersTimeout: 20_000, connectionsCheckingInterval: 5000, maxHeaderSize: HEAD_BYTES_MAX }

async function listen(app: App, settings: Settings, log: Log): Promise<Listener> {
  const { HOST, PORT } = settings
  const tls = certificate(settings)
  const fetch = (request: Request, env: object) => app.http.fetch(request, env)
  const server = createAdaptorServer(
    tls === null
      ? { fetch, createServer: createHttpServer, serverOptions: HEADERS }
      : { fetch, createServer: createHttpsServer, serverOptions: { ...HEADERS, ...tls } },
  )
  if ('requestTimeout' in server) {
    answerUnread(server, log, () => app.runtime.ids.next())
    // The deadlines of bodies and of uploads come first, and answer; what no operation waits for ends here.
    server.requestTimeout = Math.max(server.requestTimeout, (settings.PLUGIN_UPLOAD_TIMEOUT_SECONDS + 60) * 1000)
  }
  await new Promise<void>((ready, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      listenProblem(error, settings).then((problem) => failed(problem ?? error), failed)
    })
    server.listen(PORT, HOST, () => ready())
  })
  return { server }
}

function certificate({ TLS_CERT, TLS_KEY }: Settings): { cert: Buffer; key: Buffer } | null {
  if (TLS_CERT === null || TLS_KEY === null) return null
  const read = (name: string, path: string) => {
    try {
      return readFileSync(path)
    } catch (error) {
      throw new BadSettings([`${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'} ${path}`])
    }
  }
  const pair = { cert: read('TLS_CERT', TLS_CERT), key: read('TLS_KEY', TLS_KEY) }
  try {
    createSecureContext(pair)
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException
    throw new BadSettings([`TLS_CERT and TLS_KEY are not a certificate and its key, both in PEM (${code})`], {
      cause: error,
    })
  }
  return pair
}

/** What the operator can correct. */
async function listenProblem({ code }: NodeJS.ErrnoException, settings: Settings): Promise<BadSettings | null> {
  const { HOST, PORT } = settings
  if (code === 'EADDRINUSE') {
    const who = (await isPlumbline(settings)) ? 'another Plumbline server' : 'another program'
    return new BadSettings([`PORT ${PORT} is in use by ${who}: set PORT, or start with --port ${PORT + 1}`])
  }
  if (code === 'EACCES')
    return new BadSettings([`PORT ${PORT} needs more rights than this user has: set one above 1023`])
  if (code === 'EADDRNOTAVAIL') return new BadSettings([`HOST ${HOST} is not an address of this machine`])
  return null
}

const ASK_MS_MAX = 1500

async function isPlumbline({ HOST, PORT, BASE_PATH }: Settings): Promise<boolean> {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  try {
    const url = `http://${host}:${PORT}${BASE_PATH}/auth/me`
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ASK_MS_MAX) })
    return response.headers.has('x-api-version')
  } catch {
    return false
  }
}

/** An address that leads here from this machine. */
function urlOf({ address, port, family }: AddressInfo, { TLS_CERT }: Settings): string {
  const isEverywhere = address === '0.0.0.0' || address === '::'
  const host = isEverywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${TLS_CERT === null ? 'http' : 'https'}://${host}:${port}`
}

const CUT_MS_MAX = 1000

interface Parts {
  readonly app: App
  readonly log: Log
  readonly settings: Settings
  readonly store: Store
  readonly listener: Listener
}

function stopper({ app, log, settings, store, listener }: Parts): () => Promise<boolean> {
  const { server } = listener
  let stopping: Promise<boolean> | null = null
  let cut: () => void = () => undefined

  async function stop(): Promise<boolean> {
    log.write('server.shutdown_started', { inFlight: app.http.inFlight })
    app.health.startDraining()
    const forced = new Promise<'forced'>((resolve) => {
      cut = () => resolve('forced')
    })
    await Promise.race([app.leave(), forced])
    app.http.startDraining()
    const grace = setTimeout(() => cut(), settings.SHUTDOWN_DELAY_MS + settings.SHUTDOWN_GRACE_MS)
    // Answers carry `connection: close` now. Closing at once would reset connections on which a request is on its way.
    let noticed: NodeJS.Timeout | undefined
    const delay = new Promise<void>((resolve) => {
      noticed = setTimeout(resolve, settings.SHUTDOWN_DELAY_MS)
    })
    await Promise.race([forced, delay])
    clearTimeout(noticed)
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
    const drained = Promise.all([app.http.idle(), app.drain(settings.SHUTDOWN_GRACE_MS)]).then(() => 'drained' as const)
    const outcome = await Promise.race([drained, forced])
    clearTimeout(grace)
    if (outcome === 'forced') {
      log.write('server.shutdown_timed_out', { inFlight: app.http.inFlight })
      app.cut()
      // What was told to end still writes that it did; nobody waits for a database that hangs.
      await Promise.race([drained, sleep(CUT_MS_MAX, undefined, { ref: false })]).catch(() => undefined)
    } else await waitForBytes(server)
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
    await app.close()
    await store.close()
    log.write('server.stopped', {})
    log.flush()
    return outcome === 'drained'
  }

  return () => {
    if (stopping === null) stopping = stop()
    else cut()
    return stopping
  }
}

/** An answer is finished for the app before its last byte has left: connections close when they are idle again. */
async function waitForBytes(server: Listener['server']): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    const open = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count ?? 0)))
    if (open === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
