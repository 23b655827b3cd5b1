/** What a builder needs and this machine lacks, and how to install it. */
import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PROGRAMS: Readonly<Record<string, string>> = {
  buildah: 'buildah',
  runc: 'runc',
  bwrap: 'bubblewrap',
  newuidmap: 'uidmap',
  skopeo: 'skopeo',
  setpriv: 'util-linux',
  prlimit: 'util-linux',
  unshare: 'util-linux',
}

const run = promisify(execFile)
const PATH = '/usr/bin:/usr/sbin:/bin:/sbin'

const isThere = (name: string): boolean =>
  PATH.split(':').some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** One message for each missing item, with its fix; empty when a build can start. */
export async function builderLacks(): Promise<string[]> {
  const lacks: string[] = []
  // guard: no-build-as-root
  if (process.getuid?.() === 0) {
    lacks.push(
      'it runs as root: root in a build would be root of this machine; create a user (`useradd -m builder`) and run it as that user',
    )
  }
  const missing = new Set(Object.entries(PROGRAMS).flatMap(([name, from]) => (isThere(name) ? [] : [from])))
  if (missing.size > 0) {
    lacks.push(`programs are missing: \`apt-get install --no-install-recommends ${[...missing].join(' ')}\``)
  }
  const { username } = userInfo()
  for (const file of ['/etc/subuid', '/etc/subgid']) {
    if (hasRange(file, username)) continue
    lacks.push(
      `${username} has no range of ids in ${file}: \`usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ${username}\``,
    )
  }
  if (lacks.length > 0) return lacks
  try {
    await run('unshare', TRIAL, { env: { PATH }, timeout: 10_000 })
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error)
    lacks.push(
      `user namespaces do not work here (${said.trim().slice(0, 200)}): \`sysctl kernel.unprivileged_userns_clone=1\`, and on a container's host allow them`,
    )
  }
  return lacks
}

/** Starts the sandbox with an empty program. */
const TRIAL = [
  ...['--user', '--map-root-user', '--map-auto', '--', 'bwrap', '--unshare-pid', '--unshare-net'],
  ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'],
  ...['--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', 'true'],
]

function hasRange(file: string, user: string): boolean {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => line.startsWith(`${user}:`))
  } catch {
    return false
  }
}
