/** A real registry beside a test: Debian's docker-registry, where it is installed. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why the tests with a real registry are skipped; null where they run. */
export function registryMissing(): string | null {
  const isThere = spawnSync('docker-registry', ['--version'], { stdio: 'ignore' }).error === undefined
  if (isThere) return null
  if (process.env['PLUMBLINE_REQUIRE_SERVICES'] === '1') throw new Error('docker-registry is not installed')
  return 'docker-registry is not installed'
}

export interface RealRegistry {
  readonly url: string
  stop(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** @param bundle certificates of the keys whose tokens it takes. */
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
  const child = spawn('docker-registry', ['serve', join(folder, 'registry.yml')], {
    // Each REGISTRY_… of the environment would be a setting of it.
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
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
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}
