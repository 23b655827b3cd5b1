/**
 * The builder that the server starts itself. It is a separate process that reaches the server by HTTP alone, with a
 * credential that it gets through a file descriptor. It ends with the server, however the server ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { renewHostServicePrincipal } from '../../identity/index.js'
import type { Service } from '../../runtime/manifest.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { createBuildQueue } from '../build/queue.js'
import { aboutThisBuilder } from '../builder-program/about.js'
import { groupsLack } from '../builder-program/cgroup.js'
import { builderLacks } from '../builder-program/checks.js'
import type { GivenToProcess } from '../builder-program/process.js'

const AGAIN_MS = { least: 5000, most: 300_000 }
/** Stopping a build and releasing it takes less time. */
const LEAVE_MS_MAX = 5000

/** In the bundle the builder is next to this file; without a bundle the sources run directly. */
const BUILT = fileURLToPath(new URL('./builder.js', import.meta.url))
const SOURCE = fileURLToPath(new URL('../builder-program/process.ts', import.meta.url))

/** Why no builder can start on this machine, each reason with its fix; empty when one can. */
export async function localBuilderLacks(
  { settings }: Pick<Runtime, 'settings'>,
  unbounded: string | null = groupsLack(),
): Promise<readonly string[]> {
  const lacks = await builderLacks()
  // guard: production-builds-are-bounded
  if (unbounded !== null && settings.NODE_ENV === 'production' && !settings.PLUGIN_BUILD_WITHOUT_CGROUPS) {
    lacks.push(`${unbounded}; or accept it with PLUGIN_BUILD_WITHOUT_CGROUPS=true`)
  }
  return lacks
}

export const localBuilderOf = perRuntime((runtime: Runtime): Service => {
  const { REGISTRY_URL, PLUGIN_BUILDER } = runtime.settings
  const isWanted = REGISTRY_URL !== null && (PLUGIN_BUILDER === 'auto' || PLUGIN_BUILDER === 'local')
  const builder = new LocalBuilder(runtime)
  return {
    start() {
      if (isWanted) builder.attempt()
    },
    // While the server still answers, so that the build is released at once and not when its lease ends.
    leave: () => builder.leave(),
    drain: async () => builder.cut(),
    cut: () => builder.cut(),
  }
})

class LocalBuilder {
  readonly #runtime: Runtime
  #child: ChildProcess | null = null
  #isOver = false
  #againMs = AGAIN_MS.least
  #timer: NodeJS.Timeout | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  attempt(): void {
    this.#begin().catch((error: unknown) => this.#ended({ error }))
  }

  async leave(): Promise<void> {
    this.#end()
    const leaving = this.#child
    if (leaving === null) return
    const ended = new Promise<void>((resolve) => leaving.once('exit', () => resolve()))
    leaving.kill('SIGTERM')
    const late = setTimeout(() => leaving.kill('SIGKILL'), LEAVE_MS_MAX)
    await ended
    clearTimeout(late)
  }

  cut(): void {
    this.#end()
    this.#child?.kill('SIGKILL')
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  async #begin(): Promise<void> {
    const { log } = this.#runtime
    const lacks = await localBuilderLacks(this.#runtime)
    if (this.#isOver) return
    if (lacks.length > 0) {
      log?.write('builder.not_started', { lacks })
      await this.#cannotStart(lacks.join('; '))
      return
    }
    const given = await givenTo(this.#runtime)
    if (this.#isOver) return
    const startedMs = performance.now()
    const child = startProcess(this.#runtime, given)
    this.#child = child
    log?.write('builder.started', { name: given.name, pid: child.pid ?? null })
    let said = ''
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      said = line
      log?.write('builder.said', {}, line.slice(0, 2000))
    })
    child.once('error', () => undefined)
    child.once('exit', (code, signal) => {
      this.#child = null
      if (performance.now() - startedMs > AGAIN_MS.most) this.#againMs = AGAIN_MS.least
      this.#ended({ code, signal })
      // A program that is killed says nothing.
      if (code !== 0 && code !== null) void this.#cannotStart(said)
    })
  }

  /** Shown in the status of the queue. */
  async #cannotStart(message: string): Promise<void> {
    if (this.#isOver) return
    const { settings } = this.#runtime
    const about = aboutThisBuilder(
      { concurrency: settings.PLUGIN_BUILD_CONCURRENCY, egress: settings.PLUGIN_BUILD_EGRESS },
      false,
    )
    await createBuildQueue(this.#runtime)
      .describe(`${nameOf(this.#runtime)}@${about.machine}`, { ...about, fault: { reason: 'machine', message } })
      .catch(() => undefined)
  }

  #ended(why: Record<string, unknown>): void {
    if (this.#isOver) return
    this.#runtime.log?.write('builder.ended', { ...why, againSeconds: this.#againMs / 1000 })
    this.#timer = setTimeout(() => this.attempt(), this.#againMs).unref()
    this.#againMs = Math.min(AGAIN_MS.most, this.#againMs * 2)
  }
}

const addressOf = ({ settings: { HOST, PORT }, listensAt }: Runtime): string =>
  listensAt?.() ?? `http://${HOST}:${PORT}`

const nameOf = (runtime: Runtime): string => `local-${new URL(addressOf(runtime)).port || runtime.settings.PORT}`

async function givenTo(runtime: Runtime): Promise<GivenToProcess> {
  const { settings } = runtime
  const { TLS_CERT, PUBLIC_URL, BASE_PATH } = settings
  const here = addressOf(runtime)
  // With TLS, the builder must use the name in the certificate, which is the public address.
  const url = TLS_CERT === null ? here : (PUBLIC_URL ?? here)
  const name = nameOf(runtime)
  const host = { runtime, osUser: userInfo().username }
  const principal = `local-builder-${hostname()
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 30)}-${name}`
  const { clientId, clientSecret } = await renewHostServicePrincipal(host, { name: principal, scopes: ['builds:work'] })
  return {
    ...{ url: `${url}${BASE_PATH}`, name, clientId, clientSecret },
    limits: {
      diskMb: settings.PLUGIN_BUILD_DISK_MB,
      memoryMb: settings.PLUGIN_BUILD_MEMORY_MB,
      processes: settings.PLUGIN_BUILD_PIDS,
      cpus: settings.PLUGIN_BUILD_CPUS,
      imageMb: settings.PLUGIN_IMAGE_MAX_MB,
    },
    concurrency: settings.PLUGIN_BUILD_CONCURRENCY,
    egress: settings.PLUGIN_BUILD_EGRESS,
    baseRegistries: settings.PLUGIN_BASE_REGISTRIES,
    ...(settings.PLUGIN_BUILD_SCRATCH === null ? {} : { scratch: settings.PLUGIN_BUILD_SCRATCH }),
  }
}

function startProcess({ settings }: Runtime, given: GivenToProcess): ChildProcess {
  const program = existsSync(BUILT) ? [BUILT] : ['--import', import.meta.resolve('tsx'), SOURCE]
  const { HOME, PATH } = process.env
  const child = spawn('setpriv', ['--pdeathsig', 'SIGKILL', '--', process.execPath, ...program], {
    // Nothing else of the server's environment is passed on: it contains secrets.
    env: { PATH, ...(HOME === undefined ? {} : { HOME }), ...certificates(settings.TLS_CERT) },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const channel = child.stdio[3] as Writable
  channel.on('error', () => undefined)
  channel.end(JSON.stringify(given))
  return child
}

const certificates = (file: string | null) => (file === null ? {} : { NODE_EXTRA_CA_CERTS: file })
