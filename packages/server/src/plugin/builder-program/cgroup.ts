/**
 * A cgroup for one build: it limits the memory, the processes and the CPU time of the whole build, and processes that
 * remain in it are killed. It is created below the builder's own cgroup, if the operator delegated that one. Version 1
 * has one folder for each controller; version 2 has a single folder.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface GroupLimits {
  readonly memoryMb: number
  readonly processes: number
  readonly cpus: number
}

export interface BuildGroup {
  /** A process that writes its id into `cgroup.procs` of each folder is limited. */
  readonly folders: readonly string[]
  /** Whether the kernel killed a process of the group because it was out of memory. */
  ranOutOfMemory(): boolean
  /** Kills the remaining processes and removes the group. */
  remove(): Promise<void>
}

export interface BuildGroups {
  /** CPU time is limited only if the controller is available. */
  readonly hasCpu: boolean
  /** Removes the groups that a builder of this name left when it was killed. */
  sweep(): Promise<void>
  make(limits: GroupLimits): BuildGroup
}

type Controller = 'memory' | 'pids' | 'cpu'
/** Folders of the builder's own cgroup. */
type Own =
  | { readonly version: 1; readonly folders: ReadonlyMap<Controller, string> }
  | { readonly version: 2; readonly folder: string; readonly controllers: readonly string[] }

/** Where the kernel lists the cgroups of this process. */
export interface GroupFiles {
  readonly mounts: string
  readonly membership: string
}

const OWN_FILES: GroupFiles = { mounts: '/proc/self/mountinfo', membership: '/proc/self/cgroup' }
const MiB = 1024 ** 2
const CPU_PERIOD_US = 100_000
const REMOVE_MS_MAX = 5000
/** In version 2, a group that has child groups cannot have processes: the builder's own processes move to this one. */
const LEAF = 'plumbline-main'

/** @returns why cgroups cannot limit builds here, with the fix; null where they can. */
export function groupsLack(files: GroupFiles = OWN_FILES): string | null {
  const own = ownGroups(files)
  return typeof own === 'string' ? own : null
}

/**
 * @param name name of the builder.
 * @returns null where no group can be made.
 */
export function openGroups(name: string, files: GroupFiles = OWN_FILES): BuildGroups | null {
  const own = ownGroups(files)
  if (typeof own === 'string') return null
  if (own.version === 2) delegate(own.folder, own.controllers)
  const parents = own.version === 1 ? [...own.folders.values()] : [own.folder]
  // Builder names contain no plus sign.
  const prefix = `plumbline+${name}+`
  let made = 0
  return {
    hasCpu: own.version === 1 ? own.folders.has('cpu') : own.controllers.includes('cpu'),
    async sweep() {
      for (const parent of parents) {
        const left = readdirSync(parent).filter((each) => each.startsWith(prefix))
        for (const each of left) await remove([join(parent, each)])
      }
    },
    make(limits) {
      const name = `${prefix}${made}`
      const folders = [...new Set(parents.map((parent) => join(parent, name)))]
      made += 1
      for (const folder of folders) mkdirSync(folder)
      const at = (controller: Controller, file: string) =>
        join(own.version === 1 ? (own.folders.get(controller) ?? '') : own.folder, name, file)
      if (own.version === 1) boundV1(limits, at, own.folders.has('cpu'))
      else boundV2(limits, at, own.controllers.includes('cpu'))
      const events = at('memory', own.version === 1 ? 'memory.oom_control' : 'memory.events')
      return {
        folders,
        ranOutOfMemory: () => /^oom_kill [1-9]/m.test(textOf(events)),
        remove: () => remove(folders),
      }
    },
  }
}

type At = (controller: Controller, file: string) => string

function boundV1({ memoryMb, processes, cpus }: GroupLimits, at: At, hasCpu: boolean): void {
  // guard: a-build-has-so-much-memory
  writeFileSync(at('memory', 'memory.limit_in_bytes'), String(memoryMb * MiB))
  // Memory including swap, if the kernel counts swap.
  const withSwap = at('memory', 'memory.memsw.limit_in_bytes')
  if (existsSync(withSwap)) writeFileSync(withSwap, String(memoryMb * MiB))
  // guard: a-build-has-so-many-processes
  writeFileSync(at('pids', 'pids.max'), String(processes))
  if (!hasCpu) return
  writeFileSync(at('cpu', 'cpu.cfs_period_us'), String(CPU_PERIOD_US))
  // guard: a-build-has-so-much-of-the-processor
  writeFileSync(at('cpu', 'cpu.cfs_quota_us'), String(cpus * CPU_PERIOD_US))
}

function boundV2({ memoryMb, processes, cpus }: GroupLimits, at: At, hasCpu: boolean): void {
  // guard: a-build-has-so-much-memory-in-version-2
  writeFileSync(at('memory', 'memory.max'), String(memoryMb * MiB))
  const swap = at('memory', 'memory.swap.max')
  if (existsSync(swap)) writeFileSync(swap, '0')
  // guard: a-build-has-so-many-processes-in-version-2
  writeFileSync(at('pids', 'pids.max'), String(processes))
  // guard: a-build-has-so-much-of-the-processor-in-version-2
  if (hasCpu) writeFileSync(at('cpu', 'cpu.max'), `${cpus * CPU_PERIOD_US} ${CPU_PERIOD_US}`)
}

/** Moves the builder's processes into their own group, and enables the controllers for the groups next to it. */
function delegate(folder: string, controllers: readonly string[]): void {
  const enabled = join(folder, 'cgroup.subtree_control')
  const wanted = controllers.filter((each) => !wordsOf(enabled).includes(each))
  if (wanted.length === 0) return
  const leaf = join(folder, LEAF)
  mkdirSync(leaf, { recursive: true })
  for (const pid of wordsOf(join(folder, 'cgroup.procs'))) {
    try {
      writeFileSync(join(leaf, 'cgroup.procs'), pid)
    } catch {
      // The process ended meanwhile.
    }
  }
  writeFileSync(enabled, wanted.map((each) => `+${each}`).join(' '))
}

/** @returns the reason why no group can be made, with the fix, if that is so. */
function ownGroups({ mounts, membership }: GroupFiles): Own | string {
  const member = linesOf(membership).map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
  const pathOf = (controller: string) =>
    member.find((each) => each?.[1]?.split(',').includes(controller))?.[2] ?? undefined
  const hierarchies = linesOf(mounts).flatMap((line) => {
    const [, root, point, type, options] = /^\S+ \S+ \S+ (\S+) (\S+) .*? - (cgroup2?) \S+ (\S+)$/.exec(line) ?? []
    return root === undefined || point === undefined ? [] : [{ root, point, type, options: options?.split(',') ?? [] }]
  })
  const found = new Map<Controller, string>()
  for (const controller of ['memory', 'pids', 'cpu'] as const) {
    const hierarchy = hierarchies.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
    const path = pathOf(controller)
    if (hierarchy === undefined || path === undefined) continue
    const folder = join(hierarchy.point, relative(hierarchy.root, path))
    if (isOurs(folder)) found.set(controller, folder)
  }
  if (found.has('memory') && found.has('pids')) return { version: 1, folders: found }
  const unified = hierarchies.find(({ type }) => type === 'cgroup2')
  const path = pathOf('')
  if (unified !== undefined && path !== undefined) {
    const own = join(unified.point, relative(unified.root, path))
    const folder = basename(own) === LEAF ? dirname(own) : own
    const controllers = wordsOf(join(folder, 'cgroup.controllers')).filter((each) => /^(memory|pids|cpu)$/.test(each))
    const isWhole = controllers.includes('memory') && controllers.includes('pids')
    if (isWhole && isOurs(folder) && mayWrite(join(folder, 'cgroup.subtree_control'))) {
      return { version: 2, folder, controllers }
    }
  }
  return 'the cgroup of this process is not delegated to it, so the total memory of a build cannot be limited: in the systemd unit write `Delegate=yes` and `User=builder`; without systemd create a folder below each of /sys/fs/cgroup/memory, pids and cpu, give it to that user and start the builder in it'
}

/** The root of a hierarchy belongs to the machine; a folder below it is ours if we can write to it. */
const isOurs = (folder: string): boolean => mayWrite(folder) && mayWrite(join(folder, 'cgroup.procs'))

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Kills the processes in the groups until none is left; a process that is ending keeps its group for a moment. */
async function remove(folders: readonly string[]): Promise<void> {
  for (const endMs = performance.now() + REMOVE_MS_MAX; ; await sleep(20)) {
    for (const folder of folders) {
      // guard: what-is-left-in-a-cgroup-is-killed
      for (const pid of wordsOf(join(folder, 'cgroup.procs'))) end(Number(pid))
    }
    const left = folders.filter((folder) => existsSync(folder) && !isRemoved(folder))
    if (left.length === 0) return
    if (performance.now() > endMs) throw new Error(`the cgroup ${left[0]} is not empty`)
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process ended meanwhile.
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const linesOf = (file: string): string[] => textOf(file).split('\n')
const wordsOf = (file: string): string[] =>
  textOf(file)
    .split(/\s+/)
    .filter((word) => word !== '')
