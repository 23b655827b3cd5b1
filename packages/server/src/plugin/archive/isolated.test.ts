/**
 * The reader runs outside the server process: it answers, it is ended when it does not, and it has no access to the
 * server's environment.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { readersOf } from '../../../test/support/readers.js'
import { makeZip } from '../../../test/support/zip.js'
import { createArchiveReader } from './isolated.js'
import { ARCHIVE_LIMITS } from './limits.js'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-reader-'))
const reader = createArchiveReader()
afterAll(() => {
  reader.close()
  rmSync(folder, { recursive: true })
})

const file = (name: string, bytes: Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
const plugin = makeZip([
  { name: 'plugin-spec.yaml', content: 'name: a\nversion: 1.0.0\ncommands: [make]\ndockerfile: Dockerfile\n' },
  { name: 'Dockerfile', content: 'FROM debian:12\nUSER 1000\n' },
])

it('answers what an archive holds, many at a time', async () => {
  const path = file('a.zip', plugin)
  const broken = file('b.zip', plugin.subarray(0, 50))
  const answers = await Promise.all([path, broken, path].map((each) => reader.inspect(each, ARCHIVE_LIMITS)))
  expect(answers.map(({ kind }) => kind)).toEqual(['plugin', 'archive', 'plugin'])
  expect(answers[0]).toMatchObject({ entries: 2, manifest: { name: 'a', baseImage: 'debian:12', usesRootUser: false } })
  expect(reader.cost.peakKiB).toBeGreaterThan(0)
})

it('is started without the environment of the server', async () => {
  const seen = join(folder, 'seen')
  writeFileSync(join(folder, 'probe.cjs'), `require('node:fs').writeFileSync(${JSON.stringify(seen)}, '')`)
  const before = process.env['NODE_OPTIONS']
  process.env['NODE_OPTIONS'] = `--require ${join(folder, 'probe.cjs')}`
  const other = createArchiveReader()
  try {
    expect(await other.inspect(file('env.zip', plugin), ARCHIVE_LIMITS)).toMatchObject({ kind: 'plugin' })
  } finally {
    other.close()
    if (before === undefined) delete process.env['NODE_OPTIONS']
    else process.env['NODE_OPTIONS'] = before
  }
  expect(existsSync(seen)).toBe(false)
})

it('counts its own memory, not that of the server which started it', async () => {
  const held = Buffer.alloc(300 * 1024 * 1024, 1)
  const other = createArchiveReader()
  try {
    expect(await other.inspect(file('small.zip', plugin), ARCHIVE_LIMITS)).toMatchObject({ kind: 'plugin' })
    expect(other.cost.peakKiB * 1024).toBeLessThan(held.length)
  } finally {
    other.close()
  }
})

it('is ended by what it cannot read, and there is another for the next', async () => {
  const missing = join(folder, 'gone.zip')
  await expect(reader.inspect(missing, ARCHIVE_LIMITS)).rejects.toThrow('the reader of archives failed')
  expect(await reader.inspect(file('a.zip', plugin), ARCHIVE_LIMITS)).toMatchObject({ kind: 'plugin' })
})

it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('that %s ends says nothing about the archive', async (signal) => {
  const others = new Set(readersOf(process.pid, 'archive-reader'))
  const other = createArchiveReader()
  const path = file('a.zip', plugin)
  try {
    const cut = other.inspect(path, ARCHIVE_LIMITS).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    const own = await vi.waitUntil(() => readersOf(process.pid, 'archive-reader').find((pid) => !others.has(pid)), {
      ...{ timeout: 60_000, interval: 1 },
    })
    process.kill(own, signal)
    expect(await cut).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } })
    expect(await other.inspect(path, ARCHIVE_LIMITS)).toMatchObject({ kind: 'plugin' })
  } finally {
    other.close()
  }
})

it('that ended while it had nothing to do is replaced without a word', async () => {
  const others = new Set(readersOf(process.pid, 'archive-reader'))
  const other = createArchiveReader()
  const path = file('a.zip', plugin)
  try {
    await other.inspect(path, ARCHIVE_LIMITS)
    const own = readersOf(process.pid, 'archive-reader').filter((pid) => !others.has(pid))
    for (const pid of own) process.kill(pid, 'SIGKILL')
    await vi.waitUntil(() => !readersOf(process.pid, 'archive-reader').some((pid) => own.includes(pid)))
    // What the system tells of it arrives a moment later.
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await other.inspect(path, ARCHIVE_LIMITS)).toMatchObject({ kind: 'plugin' })
  } finally {
    other.close()
  }
})

it('does not wait for ever', async () => {
  const impatient = createArchiveReader({ wallMs: -Number.MAX_SAFE_INTEGER })
  expect(await impatient.inspect(file('a.zip', plugin), ARCHIVE_LIMITS)).toMatchObject({
    kind: 'archive',
    issues: [{ code: 'time' }],
  })
  impatient.close()
})

it('unpacks what is good into a folder, and nothing of what is not', async () => {
  const target = join(folder, 'target')
  mkdirSync(target)
  await reader.extract(file('a.zip', plugin), ARCHIVE_LIMITS, target)
  expect(readdirSync(target)).toEqual(['Dockerfile', 'plugin-spec.yaml'])
  const other = join(folder, 'other')
  mkdirSync(other)
  const evil = makeZip([
    { name: 'plugin-spec.yaml', content: 'name: a' },
    { name: '../evil', content: 'x' },
  ])
  expect(await reader.extract(file('c.zip', evil), ARCHIVE_LIMITS, other)).toMatchObject({ kind: 'archive' })
  expect([readdirSync(other), existsSync(join(folder, 'evil'))]).toEqual([[], false])
})

it('keeps of a mode whether its owner may run the file, and nothing else', async () => {
  const target = join(folder, 'modes')
  mkdirSync(target)
  const modes: Record<string, number> = {
    run: 0o100755,
    owner: 0o100700,
    all: 0o107777,
    others: 0o100011,
    plain: 0o100666,
  }
  const parts = Object.entries(modes).map(([name, mode]) => ({ name, content: name, attributes: mode * 0x10000 }))
  const zip = makeZip([
    { name: 'plugin-spec.yaml', content: 'name: a\nversion: 1.0.0\ncommands: [make]\n' },
    { name: 'config.yaml', content: 'buildType: metadata_only\n' },
    ...parts,
  ])
  // The same bits have another meaning in an archive from another system.
  const dos = Buffer.from(zip)
  for (let at = dos.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = dos.indexOf('PK\x01\x02', at + 4, 'latin1'))
    dos[at + 5] = 0
  const modeOf = (name: string) => (statSync(join(target, name)).mode & 0o7777).toString(8)
  expect(await reader.extract(file('modes.zip', zip), ARCHIVE_LIMITS, target)).toMatchObject({ kind: 'plugin' })
  expect(Object.keys(modes).map(modeOf)).toEqual(['755', '755', '755', '644', '644'])
  const other = join(folder, 'dos')
  mkdirSync(other)
  await reader.extract(file('dos.zip', dos), ARCHIVE_LIMITS, other)
  expect(statSync(join(other, 'run')).mode & 0o111).toBe(0)
})
