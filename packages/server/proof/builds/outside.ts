/**
 * The two known faults of Debian's buildah, outside of the sandbox: what the same Dockerfiles do there says that the cases
 * inside are attacks. A buildah in which they were mended is told, and is not a failure.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BASE = 'FROM scratch\nCOPY --chmod=755 busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "-s", "/bin"]\n'
const USES = 'cat /x/canary; echo hurt >> /x/canary'
const UP = '../'.repeat(20)

/** @returns a line of each fault: whether it reads and changes a file of the machine here. */
export function shownOutside(folder: string): string[] {
  const at = join(folder, 'outside')
  const hurt = join(at, 'hurt')
  for (const each of ['context', 'run', 'hurt']) mkdirSync(join(at, each), { recursive: true })
  copyFileSync('/bin/busybox', join(at, 'context', 'busybox'))
  const built = (name: string, dockerfile: string, ...more: string[]): string => {
    writeFileSync(join(at, name), dockerfile)
    const places = ['--storage-driver', 'vfs', '--root', join(at, 'root'), '--runroot', join(at, 'run', 'c')]
    const how = ['bud', '--isolation', 'oci', '--runtime', 'runc', '--network', 'none', '--layers=false']
    const args = [...places, ...how, ...more, '-f', join(at, name), join(at, 'context')]
    const env = { PATH: '/usr/bin:/usr/sbin:/bin', HOME: at, XDG_RUNTIME_DIR: join(at, 'run'), TMPDIR: at }
    const { stdout, stderr } = spawnSync('buildah', args, { env, encoding: 'utf8', timeout: 120_000 })
    return `${stdout}${stderr}`
  }
  built('base', BASE, '-t', 'base')
  const faults = {
    'CVE-2024-1753': `FROM localhost/base AS a\nRUN ln -s / /link\nFROM localhost/base\nRUN --mount=type=bind,from=a,source=/link${hurt},target=/x,rw ${USES}\n`,
    'CVE-2024-9675': `FROM localhost/base\nRUN --mount=type=cache,id=${UP}${hurt.slice(1)},target=/x ${USES}\n`,
  }
  return Object.entries(faults).map(([fault, dockerfile]) => {
    const canary = join(hurt, 'canary')
    writeFileSync(canary, 'of the machine\n')
    const isRead = built(fault, dockerfile).includes('of the machine')
    const works = isRead && readFileSync(canary, 'utf8').includes('hurt')
    return `${fault} ${works ? 'reads and changes a file of the machine' : 'is mended'} outside of the sandbox`
  })
}
