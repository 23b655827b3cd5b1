/**
 * Runs one build of a Dockerfile that may be hostile: setpriv ► cgroup ► prlimit ► unshare ► bwrap ► buildah. The build
 * has an ordinary user, a range of ids that no user of the machine has, a root of named read-only paths, memory for
 * everything that it writes, and no network except a proxy. It ends with the user who started it. So even a flaw in
 * buildah does not expose the machine to a Dockerfile.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { BuildGroup, BuildGroups } from './cgroup.js'
import { RELAY } from './egress-proxy.js'
import { type Confined, INSIDE, sandboxCommand } from './sandbox-command.js'

export interface SandboxedBuild extends Confined {
  /** An empty folder for the files that the sandbox reads. */
  readonly scratch: string
  readonly imageFile: string
  readonly dockerfile: string
  /** Null where no cgroups can be made. */
  readonly groups?: BuildGroups | null
  readonly signal: AbortSignal
  onLog(text: Buffer): void
}

export type SandboxEnd =
  | { readonly kind: 'built' }
  | { readonly kind: 'failed'; readonly code: number | null }
  | { readonly kind: 'image-too-large' }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'stopped' }

const MiB = 1024 ** 2

export async function buildInSandbox(build: SandboxedBuild): Promise<SandboxEnd> {
  const etc = join(build.scratch, 'etc')
  mkdirSync(etc, { mode: 0o755 })
  const put = (name: string, text: string) => writeFileSync(join(etc, name), text, { mode: 0o644 })
  // No signature check is needed: base images were fetched by digest before, and the sandbox has no others.
  put('policy.json', '{"default":[{"type":"insecureAcceptAnything"}]}')
  put('registries.conf', 'unqualified-search-registries = []\nshort-name-mode = "enforcing"\n')
  put('passwd', 'root:x:0:0:root:/w:/bin/sh\n')
  put('group', 'root:x:0:\n')
  put('Dockerfile', build.dockerfile)
  put('inside', INSIDE)
  if (build.proxy !== undefined) put('relay.mjs', RELAY)
  const group = build.groups?.make(build.limits) ?? null
  try {
    const end = await runInside(build, etc, group)
    return end.kind === 'failed' && group?.ranOutOfMemory() === true ? { kind: 'out-of-memory' } : end
  } finally {
    await group?.remove()
  }
}

/** @param etc a folder with the files for `/etc` of the sandbox, and the script `inside`. */
export async function runInside(build: SandboxedBuild, etc: string, group: BuildGroup | null): Promise<SandboxEnd> {
  const child = spawn('setpriv', sandboxCommand(build, etc, group?.folders ?? []), {
    // guard: a-sandbox-starts-without-the-environment-of-its-builder
    env: { PATH: '/usr/bin:/usr/sbin:/bin:/sbin' },
    stdio: ['ignore', 'pipe', 'pipe', ...build.secrets.map(() => 'pipe' as const)],
  })
  for (const [at, { value }] of build.secrets.entries()) {
    const pipe = child.stdio[at + 3] as Writable
    pipe.on('error', () => undefined)
    pipe.end(value)
  }
  const stop = () => child.kill('SIGKILL')
  // guard: a-build-that-is-stopped-ends
  build.signal.addEventListener('abort', stop, { once: true })
  try {
    return await ended(child, build)
  } finally {
    build.signal.removeEventListener('abort', stop)
  }
}

/**
 * How a started sandbox ends. The image is read from a pipe and its bytes are counted; the log is passed on as it
 * arrives. When the image cannot be written, the sandbox is ended first.
 */
export function ended(
  child: ChildProcess,
  { imageFile, limits, signal, onLog }: Pick<SandboxedBuild, 'imageFile' | 'limits' | 'signal' | 'onLog'>,
): Promise<SandboxEnd> {
  return new Promise((resolve, reject) => {
    const image = createWriteStream(imageFile, { mode: 0o600 })
    let bytes = 0
    let isTooLarge = false
    let notWritten: Error | null = null
    const output = child.stdout as Readable
    // guard: a-build-ends-when-its-image-cannot-be-written
    image.on('error', (error) => {
      notWritten ??= error
      child.kill('SIGKILL')
      output.resume()
    })
    output.on('data', (chunk: Buffer) => {
      if (notWritten !== null) return
      bytes += chunk.length
      // guard: the-image-of-a-build-is-counted
      if (bytes > limits.imageMb * MiB) {
        isTooLarge = true
        child.kill('SIGKILL')
        return
      }
      if (!image.write(chunk)) {
        output.pause()
        image.once('drain', () => output.resume())
      }
    })
    ;(child.stderr as Readable).on('data', onLog)
    child.once('error', reject)
    child.once('close', (code) => {
      if (notWritten !== null) return reject(notWritten)
      image.end((error?: Error | null) => {
        if (error) reject(error)
        else if (isTooLarge) resolve({ kind: 'image-too-large' })
        else if (signal.aborted) resolve({ kind: 'stopped' })
        else resolve(code === 0 ? { kind: 'built' } : { kind: 'failed', code })
      })
    })
  })
}
