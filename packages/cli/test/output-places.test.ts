/** Output to places that are not ordinary files: devices, links, folders that cannot be created, a full disk. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, symlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { main } from '../src/main.js'
import { collector, memoryIo, runCli } from './support/memory-io.js'
import { badPlugin, goodPlugin, rulesYaml, workspace } from './support/workspace.js'

const files = { 'rules.yaml': rulesYaml, 'good.yaml': goodPlugin, 'bad.yaml': badPlugin }
const checkTo = (root: string, place: string) =>
  runCli(['check', 'bad.yaml', '-r', 'rules.yaml', '-f', 'compact', '-f', `json=${place}`], { cwd: root })

describe('a report file', () => {
  it.skipIf(process.platform === 'win32')('that is a pipe is written to and stays a pipe', async () => {
    const space = workspace(files)
    execFileSync('/usr/bin/mkfifo', [join(space.root, 'pipe')])
    const pipe = await open(join(space.root, 'pipe'), 'r+')
    const { code } = await checkTo(space.root, 'pipe')
    const { bytesRead, buffer } = await pipe.read(Buffer.alloc(65_536))
    await pipe.close()
    expect(code).toBe(1)
    expect(JSON.parse(buffer.toString('utf8', 0, bytesRead))).toHaveProperty('findings')
    expect(lstatSync(join(space.root, 'pipe')).isFIFO()).toBe(true)
  })

  it.skipIf(process.platform === 'win32')('that is a link is written where the link leads', async () => {
    const space = workspace({ ...files, 'reports/last.json': '' })
    symlinkSync('reports/last.json', join(space.root, 'link.json'))
    await checkTo(space.root, 'link.json')
    expect(lstatSync(join(space.root, 'link.json')).isSymbolicLink()).toBe(true)
    expect(JSON.parse(space.read('reports/last.json'))).toHaveProperty('findings')
  })

  it('that is a folder is refused before anything is checked', async () => {
    const space = workspace({ ...files, 'reports/old.json': '' })
    const { code, stdout, stderr } = await checkTo(space.root, 'reports')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('cannot be written (EISDIR)')
  })

  it.skipIf(!existsSync('/proc/self'))('in a folder that the system refuses to make is refused', async () => {
    const { code, stderr } = await checkTo(workspace(files).root, '/proc/reports/of/check.json')
    expect(code).toBe(2)
    expect(stderr).toContain('cannot be written (ENOENT)')
  })
})

describe('standard output', () => {
  it.each([
    ['ENOSPC', 2, 'standard output cannot be written (ENOSPC)'],
    ['EPIPE', 1, ''],
  ])('that fails with %s gives exit %i', async (code, exitCode, message) => {
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('refused'), { code }))
      },
    })
    stdout.on('error', () => {})
    const stderr = collector()
    const io = memoryIo({ cwd: workspace(files).root }, stdout, stderr.stream)
    expect(await main(['check', 'bad.yaml', '-r', 'rules.yaml', '-q'], io)).toBe(exitCode)
    expect(stderr.text()).toContain(message)
  })

  it.each([
    ['compile', ['compile', 'rules.yaml']],
    ['schema', ['schema', 'test']],
  ])('is what `--output -` of %s means', async (_, command) => {
    const space = workspace(files)
    const { stdout } = await runCli([...command, '--output', '-'], { cwd: space.root })
    expect(stdout).toBe((await runCli(command, { cwd: space.root })).stdout)
    expect(stdout).not.toBe('')
  })
})
