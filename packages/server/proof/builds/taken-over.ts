/**
 * What a program can do that took buildah over: it runs in its place, as root of the sandbox and with all that buildah has.
 * The sandbox has to hold by itself: each line of its command is a guard.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildGroups } from '../../src/plugin/builder-program/cgroup.js'
import { runInside } from '../../src/plugin/builder-program/sandbox.js'
import { type Limits, sandboxCommand } from '../../src/plugin/builder-program/sandbox-command.js'

export interface Place {
  readonly context: string
  readonly scratch: string
  readonly bases: string
  readonly limits: Limits
  readonly canary: string
  readonly secret: string
  /** A listener of the machine. */
  readonly port: number
  readonly heard: () => number
  readonly bystander: ChildProcess
}

/** What it found, by its headings; and what the machine saw of it meanwhile. */
export interface Seen extends Place {
  readonly told: ReadonlyMap<string, string>
  /** Processes in the cgroup of the sandbox while it ran. */
  readonly inGroup: number
}

export interface Aspect {
  readonly name: string
  /** It is one of sandboxes with a cgroup, or of those without. */
  readonly takes?: 'cgroup' | 'no-cgroup'
  problems(seen: Seen): string[]
}

const GIVEN = 'a value that the build was given'
const KINDS = ['pid', 'net', 'ipc', 'uts', 'cgroup', 'mnt', 'user'] as const

/** As a takeover would look around; each heading begins what its command found. */
const probe = ({ canary, port, bystander }: Place): string => {
  const parts: Record<string, string> = {
    namespaces: `for n in ${KINDS.join(' ')}; do echo "$n $(readlink /proc/self/ns/$n)"; done`,
    mounts: 'cat /proc/self/mountinfo',
    environment: 'cat /proc/1/environ /proc/self/environ | tr "\\0" "\\n"',
    limits: 'cat /proc/self/limits',
    session: 'cut -d" " -f6 /proc/self/stat',
    disk: 'df -k /w | tail -1',
    ids: 'cat /proc/self/uid_map',
    secret: 'stat -c "%a %n" /secrets/given; cat /secrets/given',
    files: `cat ${canary} /proc/*/root${canary} /proc/*/cwd/..${canary} /etc/shadow; ls /home /root /var/tmp`,
    writes: [
      'for d in /usr /usr/bin /etc/containers /sys /cgroup /context /bases; do touch $d/hurt && echo "wrote $d"; done',
      'mount -o remount,bind,rw /usr; touch /usr/hurt && echo "wrote /usr"',
      `echo hurt >> ${canary}`,
    ].join('\n'),
    kills: `kill -9 ${bystander.pid} && echo "ended it"; ls -d /proc/${bystander.pid}`,
    network: `bash -c 'exec 9<>/dev/tcp/127.0.0.1/${port} && echo GET / >&9 && echo reached'; tail -n +3 /proc/net/dev | cut -d: -f1`,
    end: 'sleep 1',
  }
  return Object.entries(parts)
    .map(([name, command]) => `printf '\\n@%s\\n' ${name} >&2\n{ ${command}\n} >&2 2>&1 </dev/null`)
    .join('\n')
}

export async function seenFromInside(place: Place & { readonly groups: BuildGroups | null }): Promise<Seen> {
  const { groups, limits, ...rest } = place
  // What a builder holds must not be found in the environment of a build.
  process.env.CANARY_OF_THE_BUILDER = place.secret
  const etc = etcOf(place, probe(place))
  const group = groups?.make(limits) ?? null
  let log = ''
  let inGroup = 0
  try {
    const build = {
      ...{ ...rest, limits, imageFile: join(place.scratch, 'image'), dockerfile: '', buildArgs: {}, smokeTest: null },
      ...{ baseRefs: new Map(), secrets: [{ name: 'given', value: GIVEN }], signal: AbortSignal.timeout(30_000) },
      onLog(text: Buffer) {
        log += text.toString()
        if (group !== null && log.includes('@end')) inGroup = processesIn(group.folders)
      },
    }
    await runInside(build, etc, group)
  } finally {
    await group?.remove()
  }
  const told = log.split(/^@/m).map((part): [string, string] => {
    const [name = '', ...lines] = part.split('\n')
    return [name, lines.join('\n')]
  })
  return { ...rest, limits, told: new Map(told), inGroup }
}

/** Of the cgroup that has the fewest. */
const processesIn = (folders: readonly string[]): number =>
  Math.min(...folders.map((folder) => readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').length - 1))

function etcOf({ scratch }: Pick<Place, 'scratch'>, inside: string): string {
  const etc = join(scratch, 'etc')
  mkdirSync(etc, { mode: 0o755 })
  for (const [name, text] of Object.entries({ passwd: 'root:x:0:0:root:/w:/bin/sh\n', group: 'root:x:0:\n', inside })) {
    writeFileSync(join(etc, name), text, { mode: 0o644 })
  }
  return etc
}

/** Where a sandbox is written: memory that is its own. */
const WRITTEN = /^\/(?:$|proc|dev|w$|secrets$)/

const aspect = (name: string, problems: Aspect['problems'], takes?: Aspect['takes']): Aspect => ({
  ...{ name: `taken over: ${name}`, ...(takes === undefined ? {} : { takes }) },
  problems: (seen) => (seen.told.has('end') ? problems(seen) : ['the sandbox did not run to its end']),
})
const of = ({ told }: Seen, part: string): string => told.get(part) ?? ''
const unless = (isSo: boolean, problem: string): string[] => (isSo ? [] : [problem])

/** Of `/proc/self/limits`: beyond this nobody in it can go. */
const limitOf = (seen: Seen, name: string): number =>
  Number(new RegExp(`^Max ${name} +\\S+ +(\\S+)`, 'm').exec(of(seen, 'limits'))?.[1])
const bounded = (seen: Seen, name: string, most: number): string[] =>
  unless(limitOf(seen, name) <= most, `its ${name} is bounded by ${limitOf(seen, name)} and not by ${most}`)

export const ASPECTS: readonly Aspect[] = [
  ...KINDS.map((kind) =>
    aspect(`namespace ${kind}`, (seen) => {
      const [, id = ''] = new RegExp(`^${kind} (.+)$`, 'm').exec(of(seen, 'namespaces')) ?? []
      return unless(id !== '' && id !== readlinkSync(`/proc/self/ns/${kind}`), `it is in that of the machine: ${id}`)
    }),
  ),
  aspect('what it may write', (seen) => {
    const mounts = of(seen, 'mounts')
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, , , , at = '', options = '']) => at !== '' && !WRITTEN.test(at) && /^rw\b/.test(options))
    return [
      ...mounts.map(([, , , , at]) => `${at} is mounted for writing`),
      ...[...of(seen, 'writes').matchAll(/^wrote (.*)$/gm)].map(([, at]) => `it wrote ${at}`),
    ]
  }),
  aspect('files of the machine', (seen) => [
    ...unless(![...seen.told.values()].some((text) => text.includes(seen.secret)), 'it read the canary'),
    ...unless(readFileSync(seen.canary, 'utf8') === `${seen.secret}\n`, 'it changed the canary'),
    ...unless(!of(seen, 'files').includes('root:'), 'it read /etc/shadow'),
  ]),
  aspect('the environment of its builder', (seen) =>
    unless(!of(seen, 'environment').includes('CANARY_OF_THE_BUILDER'), 'it is there'),
  ),
  aspect('core files', (seen) => bounded(seen, 'core file size', 0)),
  aspect('open files', (seen) => bounded(seen, 'open files', 4096)),
  aspect('processes of the user', (seen) => bounded(seen, 'processes', seen.limits.processes), 'no-cgroup'),
  aspect('address space', (seen) => bounded(seen, 'address space', seen.limits.memoryMb * 1024 ** 2), 'no-cgroup'),
  aspect('its cgroup', ({ inGroup }) => unless(inGroup > 0, 'nothing of it is in its cgroup'), 'cgroup'),
  aspect('the terminal of its builder', (seen) =>
    unless(Number(of(seen, 'session')) > 0, 'it is in a session from outside'),
  ),
  aspect('disk', (seen) => {
    const kib = Number(of(seen, 'disk').trim().split(/\s+/)[1])
    return unless(kib <= seen.limits.diskMb * 1024, `it may write ${kib} KiB`)
  }),
  aspect('ids', (seen) => {
    const [, , outside] = of(seen, 'ids').trim().split(/\s+/)
    return unless(Number(outside) > 0, `its root is ${outside} of the machine`)
  }),
  aspect('what it was given', (seen) => {
    const [first, ...more] = of(seen, 'secret').trim().split('\n')
    return unless(first === '400 /secrets/given' && more.join('\n') === GIVEN, `it is ${of(seen, 'secret')}`)
  }),
  aspect('processes of the machine', ({ bystander, ...seen }) => [
    ...unless(bystander.exitCode === null && bystander.signalCode === null, 'it ended one'),
    ...unless(!/ended it|^\/proc\//m.test(seen.told.get('kills') ?? ''), 'it sees one'),
  ]),
  aspect('the network of the machine', (seen) => [
    ...unless(!of(seen, 'network').includes('reached') && seen.heard() === 0, 'it reached a listener of the machine'),
    ...unless(of(seen, 'network').trim().split('\n').at(-1)?.trim() === 'lo', 'it has more than a loopback'),
  ]),
]

/** A builder is killed in the middle of a build: its sandbox dies with it. */
export async function endsWithItsBuilder(place: Place, whatIsLeft: () => Promise<string[]>): Promise<string[]> {
  const etc = etcOf(place, 'echo ready >&2; sleep 3600')
  const confined = { ...place, buildArgs: {}, baseRefs: new Map(), secrets: [], smokeTest: null }
  const started = ['-c', '"$0" "$@" & wait', 'setpriv', ...sandboxCommand(confined, etc, [])]
  const builder = spawn('sh', started, { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise((ready) => builder.stderr.on('data', ready))
  builder.kill('SIGKILL')
  const left = await whatIsLeft()
  for (const each of left) process.kill(Number(each.split(' ')[0]), 'SIGKILL')
  return left.map((each) => `${each} is left`)
}
