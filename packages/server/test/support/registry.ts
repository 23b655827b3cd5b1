/** A real registry for a test: Debian's docker-registry, if it is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why tests with a real registry are skipped; null if they can run. */
export function registryMissing(): string | null {
  const isThere = spawnSync('docker-registry', ['--version'], { stdio: 'ignore' }).error === undefined
  if (isThere) return null
  if (process.env['PLUMBLINE_REQUIRE_SERVICES'] === '1') throw new Error('docker-registry is not installed')
  return 'docker-registry is not installed'
}

export interface RealRegistry {
  readonly url: string
  /** The folder of `registry.yml`. */
  readonly folder: string
  /** Restarts it as an operator does: read-only for a garbage collection, or writable again. */
  restart(isReadOnly: boolean): Promise<void>
  stop(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** @param bundle certificates of the keys whose tokens the registry accepts. */
export async function startRegistry(bundle: string, realm: string, port: number): Promise<RealRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-registry-'))
  mkdirSync(join(folder, 'storage'))
  writeFileSync(join(folder, 'certificates.pem'), bundle)
  const config = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'storage') }, delete: { enabled: true } },
    http: { addr: `127.0.0.1:${port}`, secret: 'of a test' },
    auth: {
      token: {
        realm,
        service: 'plumbline-registry',
        issuer: 'plumbline',
        rootcertbundle: join(folder, 'certificates.pem'),
      },
    },
  }
  writeFileSync(join(folder, 'registry.yml'), JSON.stringify(config))
  const url = `http://127.0.0.1:${port}`
  let child = await begin(folder, url)
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  return {
    url,
    folder,
    async restart(isReadOnly) {
      await stop()
      child = await begin(folder, url, isReadOnly)
    },
    stop,
  }
}

async function begin(folder: string, url: string, isReadOnly = false): Promise<ChildProcess> {
  const readOnly = { REGISTRY_STORAGE_MAINTENANCE_READONLY: '{"enabled":true}' }
  const child = spawn('docker-registry', ['serve', join(folder, 'registry.yml')], {
    // The registry reads every REGISTRY_… variable as one of its settings, so the environment is reduced.
    env: { PATH: process.env['PATH'] ?? '', ...(isReadOnly ? readOnly : {}) },
    stdio: 'ignore',
  })
  for (let n = 0; n < 100; n++) {
    if (
      await fetch(`${url}/v2/`).then(
        () => true,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return child
}
