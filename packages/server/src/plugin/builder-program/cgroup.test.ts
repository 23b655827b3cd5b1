/**
 * Cgroups of builds: where they are created, what is written to them, and what happens to processes that remain in one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameIn } from './alone.js'
import { type GroupFiles, groupsLack, openGroups } from './cgroup.js'

const LIMITS = { memoryMb: 64, processes: 40, cpus: 2 }
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-cgroups-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A machine whose cgroups are folders of this test. */
function machine(name: string, mounts: readonly string[], membership: readonly string[]): GroupFiles & { at: string } {
  const at = join(folder, name)
  mkdirSync(at)
  const put = (file: string, lines: readonly string[]) => {
    writeFileSync(join(at, file), `${lines.map((line) => line.replaceAll('AT', at)).join('\n')}\n`)
    return join(at, file)
  }
  return { at, mounts: put('mountinfo', mounts), membership: put('cgroup', membership) }
}

function file(path: string, text = ''): string {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

describe('cgroups of version 1', () => {
  it('are made below those of the builder, with the limits of a build', () => {
    const files = machine(
      'v1',
      [
        '22 1 0:20 / /proc rw - proc proc rw',
        '30 25 0:26 /outer AT/memory rw,relatime shared:9 - cgroup cgroup rw,memory',
        '31 25 0:27 / AT/pids rw,relatime - cgroup cgroup rw,pids',
        '32 25 0:28 / AT/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct',
      ],
      ['4:memory:/outer/own', '3:pids:/own', '2:cpu,cpuacct:/own', '0::/'],
    )
    const of = (controller: string, name: string) => join(files.at, controller, 'own', name)
    for (const controller of ['memory', 'pids', 'cpu']) file(of(controller, 'cgroup.procs'))
    expect(groupsLack(files)).toBeNull()
    const groups = openGroups('b', files)
    const made = groups?.make(LIMITS)
    expect([groups?.hasCpu, made?.folders]).toEqual([
      true,
      ['memory', 'pids', 'cpu'].map((controller) => of(controller, 'plumbline+b+0')),
    ])
    const written = (controller: string, name: string) => readFileSync(of(controller, `plumbline+b+0/${name}`), 'utf8')
    expect(written('memory', 'memory.limit_in_bytes')).toBe(String(64 * 1024 ** 2))
    expect(written('pids', 'pids.max')).toBe('40')
    expect(written('cpu', 'cpu.cfs_quota_us')).toBe('200000')
    writeFileSync(of('memory', 'plumbline+b+0/memory.oom_control'), 'under_oom 0\noom_kill 0\n')
    expect(made?.ranOutOfMemory()).toBe(false)
    writeFileSync(of('memory', 'plumbline+b+0/memory.oom_control'), 'under_oom 0\noom_kill 3\n')
    expect(made?.ranOutOfMemory()).toBe(true)
    expect(groups?.make(LIMITS).folders[0]).toBe(of('memory', 'plumbline+b+1'))
  })

  it('that are not the builder’s own are not used, and the fix is named', () => {
    const files = machine('other', ['30 25 0:26 / AT/memory rw - cgroup cgroup rw,memory'], ['4:memory:/', '3:pids:/'])
    expect(groupsLack(files)).toContain('Delegate=yes')
    expect(openGroups('b', files)).toBeNull()
  })
})

describe('cgroups of version 2', () => {
  it('are made once the controllers are handed down and the builder stands beside them', () => {
    const files = machine(
      'v2',
      ['30 25 0:26 / AT/fs rw,nosuid shared:4 - cgroup2 cgroup2 rw'],
      ['0::/system.slice/b.service'],
    )
    const own = join(files.at, 'fs', 'system.slice', 'b.service')
    file(join(own, 'cgroup.procs'), '17\n18\n')
    file(join(own, 'cgroup.controllers'), 'cpuset cpu io memory pids\n')
    const enabled = file(join(own, 'cgroup.subtree_control'))
    expect(groupsLack(files)).toBeNull()
    const made = openGroups('b', files)?.make(LIMITS)
    expect(readFileSync(enabled, 'utf8')).toBe('+cpu +memory +pids')
    expect(readFileSync(join(own, 'plumbline-main', 'cgroup.procs'), 'utf8')).toBe('18')
    const at = join(own, 'plumbline+b+0')
    expect(made?.folders).toEqual([at])
    const written = ['memory.max', 'pids.max', 'cpu.max'].map((name) => readFileSync(join(at, name), 'utf8'))
    expect(written).toEqual([String(64 * 1024 ** 2), '40', '200000 100000'])
    // After a restart, the builder finds itself in the group that it made.
    writeFileSync(files.membership, '0::/system.slice/b.service/plumbline-main\n')
    writeFileSync(enabled, 'cpu memory pids\n')
    rmSync(at, { recursive: true })
    expect(openGroups('b', files)?.make(LIMITS).folders).toEqual([at])
  })

  it('without the controllers, or without the right to hand them down, are not used', () => {
    const files = machine('v2-bare', ['30 25 0:26 / AT/fs rw - cgroup2 cgroup2 rw'], ['0::/b'])
    const own = join(files.at, 'fs', 'b')
    file(join(own, 'cgroup.procs'))
    file(join(own, 'cgroup.subtree_control'))
    const controllers = file(join(own, 'cgroup.controllers'), 'cpu pids\n')
    expect(openGroups('b', files)).toBeNull()
    writeFileSync(controllers, 'memory pids\n')
    expect(openGroups('b', files)).not.toBeNull()
    rmSync(join(own, 'cgroup.subtree_control'))
    expect(openGroups('b', files)).toBeNull()
  })
})

it('ends what is left in a cgroup, also of a builder that was killed, and nothing of another folder', async () => {
  const files = machine('left', ['30 25 0:26 / AT/fs rw - cgroup2 cgroup2 rw'], ['0::/b'])
  const own = join(files.at, 'fs', 'b')
  for (const [name, text] of Object.entries({
    procs: '',
    subtree_control: 'memory pids\n',
    controllers: 'memory pids',
  })) {
    file(join(own, `cgroup.${name}`), text)
  }
  const name = nameIn('/scratch', 'b')
  const groups = openGroups(name, files)
  const others = [nameIn('/scratch', 'b-2'), nameIn('/other', 'b')].map((each) => join(own, `plumbline+${each}+0`))
  for (const other of others) mkdirSync(other)
  const left = spawn('sleep', ['3600'], { stdio: 'ignore' })
  const [path, ended] = [join(own, `plumbline+${name}+7`), once(left, 'exit')]
  file(join(path, 'cgroup.procs'), `${left.pid}\n`)
  const sweeping = groups?.sweep()
  expect((await ended)[1]).toBe('SIGKILL')
  // The kernel removes the files of a group with its folder; in an ordinary folder the test removes them.
  rmSync(join(path, 'cgroup.procs'))
  await sweeping
  expect([path, ...others].map((each) => existsSync(each))).toEqual([false, true, true])
})
