/** What a builder lacks on this machine, and how to get it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

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

const isThere = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH: '/usr/bin:/usr/sbin:/bin:/sbin' }, stdio: 'ignore' })
    .status === 0

/** In words, each with its fix; none where a build can begin. */
export function builderLacks(): string[] {
  const lacks: string[] = []
  if (process.getuid?.() === 0) {
    lacks.push(
      'it runs as root: root in a build would be root of this machine; make a user (`useradd -m builder`) and run it as that user',
    )
  }
  const missing = [
    ...new Set(
      Object.entries(PROGRAMS)
        .filter(([name]) => !isThere(name))
        .map(([, from]) => from),
    ),
  ]
  if (missing.length > 0)
    lacks.push(`programs are missing: \`apt-get install --no-install-recommends ${missing.join(' ')}\``)
  const { username } = userInfo()
  for (const file of ['/etc/subuid', '/etc/subgid']) {
    if (!hasRange(file, username))
      lacks.push(
        `${username} has no range of ids in ${file}: \`usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ${username}\``,
      )
  }
  if (lacks.length > 0) return lacks
  const tried = spawnSync(
    'unshare',
    [
      '--user',
      '--map-root-user',
      '--map-auto',
      '--',
      'bwrap',
      '--unshare-pid',
      '--unshare-net',
      '--ro-bind',
      '/usr',
      '/usr',
      '--symlink',
      'usr/bin',
      '/bin',
      '--symlink',
      'usr/lib',
      '/lib',
      '--symlink',
      'usr/lib64',
      '/lib64',
      '--proc',
      '/proc',
      'true',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  if (tried.status !== 0) {
    lacks.push(
      `user namespaces do not work here (${tried.stderr.toString().trim().slice(0, 200)}): \`sysctl kernel.unprivileged_userns_clone=1\`, and on a container's host allow them`,
    )
  }
  return lacks
}

function hasRange(file: string, user: string): boolean {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => line.startsWith(`${user}:`))
  } catch {
    return false
  }
}
