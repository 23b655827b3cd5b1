/**
 * One build of a Dockerfile that may be hostile: setpriv ► prlimit ► unshare ► bwrap ► buildah. An ordinary user, a range of
 * ids that are none of the machine's, a root of named read-only paths, memory for all writing, no network; it ends with
 * the user who started it. So not even a fault of buildah shows the machine to a Dockerfile.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export interface Limits {
  readonly processes: number
  /** Of everything that a build writes: it is memory. */
  readonly diskMb: number
  /** Address space of one process. */
  readonly memoryMb: number
  readonly imageMb: number
}

export interface SandboxedBuild {
  /** Folders and files on this machine. */
  readonly context: string
  readonly bases: string
  /** An empty folder for what the sandbox reads. */
  readonly scratch: string
  readonly imageFile: string
  readonly dockerfile: string
  readonly buildArgs: Readonly<Record<string, string>>
  /** Names in Dockerfiles to references in the layout of base images. */
  readonly baseRefs: ReadonlyMap<string, string>
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
  readonly smokeTest: string | null
  readonly limits: Limits
  readonly signal: AbortSignal
  onLog(text: Buffer): void
}

export type SandboxEnd =
  | { readonly kind: 'built' }
  | { readonly kind: 'failed'; readonly code: number | null }
  | { readonly kind: 'image-too-large' }
  | { readonly kind: 'stopped' }

/** What the smoke test answers when it fails, so that it is told from the build. */
export const SMOKE_CODE = 91

const INSIDE = `set -eu
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs /sys
mount --rbind /cgroup /sys/fs/cgroup
echo 0 > /proc/sys/user/max_user_namespaces
b() { command=$1; shift; buildah --storage-driver "$STORAGE_DRIVER" --root /w/store --runroot /w/run/containers "$command" "$@" 3>&-; }
for base in $BASES; do b tag "$(b pull -q "oci:/bases:\${base#*=}")" "\${base%%=*}" >&2; done
b bud --isolation oci --runtime runc --network none --pull-never --layers=false --timestamp 0 --format oci \\
  --http-proxy=false -f /etc/containers/Dockerfile -t built "$@" . >&2 </dev/null
if [ -n "$SMOKE" ]; then
  c=$(b from --pull-never built)
  timeout -k 2 60 buildah --storage-driver "$STORAGE_DRIVER" --root /w/store --runroot /w/run/containers \\
    run --isolation oci --runtime runc --network none "$c" -- /bin/sh -c "$SMOKE" >&2 3>&- </dev/null || exit ${SMOKE_CODE}
fi
b push -q built oci-archive:/w/image.tar >&2
cat /w/image.tar >&3
`

const MiB = 1024 ** 2

export async function buildInSandbox(build: SandboxedBuild): Promise<SandboxEnd> {
  const etc = join(build.scratch, 'etc')
  mkdirSync(etc, { mode: 0o755 })
  const put = (name: string, text: string) => writeFileSync(join(etc, name), text, { mode: 0o644 })
  // Bases were fetched by digest before; nothing else is there.
  put('policy.json', '{"default":[{"type":"insecureAcceptAnything"}]}')
  put('registries.conf', 'unqualified-search-registries = []\nshort-name-mode = "enforcing"\n')
  put('passwd', 'root:x:0:0:root:/w:/bin/sh\n')
  put('group', 'root:x:0:\n')
  put('Dockerfile', build.dockerfile)
  put('inside', INSIDE)
  const child = spawn('setpriv', commandOf(build, etc), {
    env: { PATH: '/usr/bin:/usr/sbin:/bin:/sbin' },
    stdio: ['ignore', 'pipe', 'pipe', ...build.secrets.map(() => 'pipe' as const)],
  })
  for (const [at, { value }] of build.secrets.entries()) {
    const pipe = child.stdio[at + 3] as Writable
    pipe.on('error', () => undefined)
    pipe.end(value)
  }
  const stop = () => child.kill('SIGKILL')
  build.signal.addEventListener('abort', stop, { once: true })
  try {
    return await ended(child, build)
  } finally {
    build.signal.removeEventListener('abort', stop)
  }
}

function commandOf(
  { context, bases, baseRefs, buildArgs, secrets, smokeTest, limits }: SandboxedBuild,
  etc: string,
): string[] {
  const files = secrets.flatMap(({ name }, at) => ['--perms', '0400', '--file', String(at + 3), `/secrets/${name}`])
  const args = Object.entries(buildArgs).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
  const given = secrets.flatMap(({ name }) => ['--secret', `id=${name},src=/secrets/${name}`])
  const refs = [...baseRefs].map(([name, ref]) => `${name}=${ref}`).join(' ')
  return [
    ...['--pdeathsig', 'SIGKILL', '--'],
    ...['prlimit', `--nproc=${limits.processes}`, '--core=0', '--nofile=4096', `--as=${limits.memoryMb * MiB}`, '--'],
    ...['unshare', '--user', '--map-root-user', '--map-auto', '--fork', '--kill-child=SIGKILL', '--'],
    ...['bwrap', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session', '--cap-add', 'ALL', '--clearenv'],
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/sbin', '/sbin'],
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...['--ro-bind', etc, '/etc/containers', '--ro-bind', join(etc, 'passwd'), '/etc/passwd'],
    ...['--ro-bind', join(etc, 'group'), '/etc/group', '--proc', '/proc', '--dev', '/dev'],
    ...['--ro-bind', '/sys', '/sys', '--ro-bind', '/sys/fs/cgroup', '/cgroup'],
    ...['--size', String(limits.diskMb * MiB), '--tmpfs', '/w', '--dir', '/w/scratch', '--dir', '/w/run'],
    ...[
      '--dir',
      '/w/store',
      '--symlink',
      '/w/run',
      '/run',
      '--ro-bind',
      context,
      '/context',
      '--ro-bind',
      bases,
      '/bases',
    ],
    ...(files.length === 0 ? [] : ['--size', String(4 * MiB), '--tmpfs', '/secrets', ...files]),
    ...['--setenv', 'HOME', '/w', '--setenv', 'PATH', '/usr/bin:/usr/sbin', '--setenv', 'TMPDIR', '/w/scratch'],
    ...['--setenv', 'XDG_RUNTIME_DIR', '/w/run', '--setenv', 'STORAGE_DRIVER', 'overlay'],
    ...['--setenv', 'BASES', refs, '--setenv', 'SMOKE', smokeTest ?? '', '--chdir', '/context'],
    ...['sh', '-c', 'exec sh /etc/containers/inside "$@" 3>&1 1>&2', 'sh', ...args, ...given],
  ]
}

/** The image leaves through a pipe whose reader counts; the log is handed on as it comes. */
function ended(child: ChildProcess, { imageFile, limits, signal, onLog }: SandboxedBuild): Promise<SandboxEnd> {
  return new Promise((resolve, reject) => {
    const image = createWriteStream(imageFile, { mode: 0o600 })
    let bytes = 0
    let isTooLarge = false
    const output = child.stdout as Readable
    output.on('data', (chunk: Buffer) => {
      bytes += chunk.length
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
    image.once('error', reject)
    child.once('close', (code) => {
      image.end(() => {
        if (isTooLarge) resolve({ kind: 'image-too-large' })
        else if (signal.aborted) resolve({ kind: 'stopped' })
        else resolve(code === 0 ? { kind: 'built' } : { kind: 'failed', code })
      })
    })
  })
}
