/**
 * The command of a sandbox: setpriv ► cgroup ► prlimit ► unshare ► bwrap ► the script inside. Each line of it is a
 * guard: the proof of builds runs a program in it that has taken over buildah, and checks everything that such a
 * program can do.
 */
import { join } from 'node:path'

export interface Limits {
  /** For one build where it has a cgroup; else for all processes of the user. */
  readonly processes: number
  /** For everything that a build writes, which is kept in memory. */
  readonly diskMb: number
  /** For one build including what it writes, where it has a cgroup; else the address space of each process. */
  readonly memoryMb: number
  /** Number of processors for one build, where it has a cgroup. */
  readonly cpus: number
  readonly imageMb: number
}

export interface Confined {
  /** Paths on this machine. */
  readonly context: string
  readonly bases: string
  readonly buildArgs: Readonly<Record<string, string>>
  /** Image names in the Dockerfile, with their references in the layout of base images. */
  readonly baseRefs: ReadonlyMap<string, string>
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
  readonly smokeTest: string | null
  readonly limits: Limits
  /** The socket of the proxy; absent when builds have no network. */
  readonly proxy?: string
}

/** Exit code of a failed smoke test, which distinguishes it from a failed build. */
export const SMOKE_CODE = 91

const MiB = 1024 ** 2

const BUD = [
  ...['b', 'bud', '--isolation'],
  // guard: a-step-runs-in-a-container
  'oci',
  ...['--runtime', 'runc', '--network', '"$network"', '--pull-never', '--layers=false', '--timestamp', '0'],
  ...['--format', 'oci', '--http-proxy=false', '-f', '/etc/containers/Dockerfile', '-t', 'built', '"$@"', '.'],
].join(' ')

/** The script that runs in the sandbox. The image is written to descriptor 3, which only the last command has. */
export const INSIDE = [
  'set -eu',
  'mount -t sysfs -o ro,nosuid,nodev,noexec sysfs /sys',
  'mount --rbind /cgroup /sys/fs/cgroup',
  // guard: a-step-makes-no-user-namespace
  'echo 0 > /proc/sys/user/max_user_namespaces',
  'b() { command=$1; shift; buildah --storage-driver "$STORAGE_DRIVER" --root /w/store --runroot /w/run/containers "$command" "$@" 3>&-; }',
  'network=none',
  'if [ -e /proxy.sock ]; then',
  '  /node /etc/containers/relay.mjs 3>&- >&2 </dev/null &',
  '  n=0; while [ ! -e /w/run/relay ] && [ $n -lt 200 ]; do n=$((n + 1)); sleep 0.05; done',
  '  # The network of the sandbox: there is nothing but the relay in it.',
  '  network=host',
  '  export http_proxy=http://127.0.0.1:3128 https_proxy=http://127.0.0.1:3128',
  '  for name in http_proxy https_proxy HTTP_PROXY HTTPS_PROXY; do set -- --build-arg "$name=http://127.0.0.1:3128" "$@"; done',
  'fi',
  `for base in $BASES; do b tag "$(b pull -q "oci:/bases:\${base#*=}")" "\${base%%=*}" >&2; done`,
  `${BUD} >&2 </dev/null`,
  'if [ -n "$SMOKE" ]; then',
  '  c=$(b from --pull-never built)',
  '  timeout -k 2 60 buildah --storage-driver "$STORAGE_DRIVER" --root /w/store --runroot /w/run/containers \\',
  `    run --isolation oci --runtime runc --network none "$c" -- /bin/sh -c "$SMOKE" >&2 3>&- </dev/null || exit ${SMOKE_CODE}`,
  'fi',
  'b push -q built oci-archive:/w/image.tar >&2',
  'cat /w/image.tar >&3',
  '',
].join('\n')

/**
 * The first arguments are the number of cgroups and their folders; the command after them runs in all of these cgroups.
 */
const ENTER = [
  'n=$1; shift',
  'while [ "$n" -gt 0 ]; do',
  // guard: a-build-runs-in-its-cgroup
  '  echo $$ > "$1/cgroup.procs" || { echo "unshare: the cgroup $1 cannot be entered" >&2; exit 1; }',
  '  shift; n=$((n - 1))',
  'done',
  'exec "$@"',
].join('\n')

/** @param etc a folder with the files for `/etc` of the sandbox, and the script `inside`. */
export function sandboxCommand(build: Confined, etc: string, groups: readonly string[]): string[] {
  return [
    // guard: a-build-ends-with-its-builder
    ...['--pdeathsig', 'SIGKILL'],
    '--',
    ...['sh', '-c', ENTER, 'sh', String(groups.length), ...groups],
    ...['prlimit', ...limitsOf(build.limits, groups), '--'],
    // The user and root of a sandbox are ids that this machine gives to no other user.
    ...['unshare', '--user', '--map-root-user', '--map-auto', '--fork', '--kill-child=SIGKILL', '--'],
    ...['bwrap', ...NAMESPACES, '--cap-add', 'ALL'],
    '--clearenv',
    ...rootOf(build, etc),
    ...['--setenv', 'HOME', '/w', '--setenv', 'PATH', '/usr/bin:/usr/sbin', '--setenv', 'TMPDIR', '/w/scratch'],
    ...['--setenv', 'XDG_RUNTIME_DIR', '/w/run', '--setenv', 'STORAGE_DRIVER', 'overlay'],
    ...['--setenv', 'BASES', [...build.baseRefs].map(([name, ref]) => `${name}=${ref}`).join(' ')],
    ...['--setenv', 'SMOKE', build.smokeTest ?? '', '--chdir', '/context'],
    ...['sh', '-c', 'exec sh /etc/containers/inside "$@" 3>&1 1>&2', 'sh'],
    ...Object.entries(build.buildArgs).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...build.secrets.flatMap(({ name }) => ['--secret', `id=${name},src=/secrets/${name}`]),
  ]
}

function limitsOf({ processes, memoryMb }: Limits, groups: readonly string[]): string[] {
  return [
    // guard: a-build-leaves-no-core
    '--core=0',
    // guard: a-build-has-so-many-files-open
    '--nofile=4096',
    // Without a cgroup these limit each process, and all processes of the user.
    // guard: without-a-cgroup-processes-are-bounded
    ...(groups.length > 0 ? [] : [`--nproc=${processes}`]),
    // guard: without-a-cgroup-memory-is-bounded
    ...(groups.length > 0 ? [] : [`--as=${memoryMb * MiB}`]),
  ]
}

const NAMESPACES = [
  // guard: a-build-sees-its-own-processes
  '--unshare-pid',
  // guard: a-build-has-a-network-of-its-own
  '--unshare-net',
  // guard: a-build-shares-no-memory-with-the-machine
  '--unshare-ipc',
  // guard: a-build-has-a-host-name-of-its-own
  '--unshare-uts',
  // guard: a-build-does-not-see-where-its-cgroup-is
  '--unshare-cgroup-try',
  '--die-with-parent',
  // guard: a-build-has-no-terminal
  '--new-session',
]

/** Only the named paths, read-only, and memory for everything that is written. */
function rootOf({ context, bases, secrets, limits, proxy }: Confined, etc: string): string[] {
  const files = secrets.flatMap(({ name }, at) => ['--perms', '0400', '--file', String(at + 3), `/secrets/${name}`])
  return [
    // guard: a-build-does-not-write-programs
    '--ro-bind',
    ...['/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/sbin', '/sbin'],
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    // guard: a-build-does-not-write-its-configuration
    '--ro-bind',
    ...[etc, '/etc/containers', '--ro-bind', join(etc, 'passwd'), '/etc/passwd'],
    ...['--ro-bind', join(etc, 'group'), '/etc/group', '--proc', '/proc', '--dev', '/dev'],
    // guard: a-build-does-not-write-to-the-kernel
    '--ro-bind',
    ...['/sys', '/sys'],
    // guard: a-build-does-not-write-its-cgroup
    '--ro-bind',
    ...['/sys/fs/cgroup', '/cgroup'],
    // guard: what-a-build-writes-is-bounded
    ...['--size', String(limits.diskMb * MiB)],
    ...['--tmpfs', '/w', '--dir', '/w/scratch', '--dir', '/w/run', '--dir', '/w/store', '--symlink', '/w/run', '/run'],
    // An image without a step is copied by way of this folder, whatever TMPDIR says.
    ...['--symlink', '/w/scratch', '/var/tmp'],
    // guard: a-build-does-not-write-its-archive
    '--ro-bind',
    ...[context, '/context'],
    // guard: a-build-does-not-write-base-images
    '--ro-bind',
    ...[bases, '/bases'],
    ...(proxy === undefined ? [] : ['--ro-bind', proxy, '/proxy.sock', '--ro-bind', process.execPath, '/node']),
    ...(files.length === 0 ? [] : ['--size', String(4 * MiB), '--tmpfs', '/secrets', ...files]),
  ]
}
