/** Goal: whatever is endless, a device or a pipe, ends with an error that names the limit, after no more than was allowed. */
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { keptLines } from '../src/audit/input.js'
import { main } from '../src/main.js'
import { collector, memoryIo, runCli, type World } from './support/memory-io.js'
import { goodPlugin, rulesYaml, workspace } from './support/workspace.js'

const MEBIBYTE = 1 << 20

/** Runs with an endless standard input. Returns how much of it was taken, too. */
async function withEndless(argv: readonly string[], world: World, part: string) {
  const chunk = Buffer.from(part.repeat(Math.ceil((1 << 16) / part.length)))
  let bytes = 0
  const stdin = new Readable({
    read() {
      bytes += chunk.length
      this.push(chunk)
    },
  })
  const [stdout, stderr] = [collector(), collector()]
  const code = await main(argv, { ...memoryIo(world, stdout.stream, stderr.stream), stdin })
  return { code, output: `${stdout.text()}${stderr.text()}`, bytes, isLeft: stdin.destroyed }
}

const files = () => workspace({ 'rules.yaml': rulesYaml, 'a.yaml': goodPlugin })
const rules = ['-r', 'rules.yaml']

describe('an endless standard input', () => {
  it.each([
    ['check', ['check', '-', ...rules], 3, 16],
    ['impact', ['impact', '-', ...rules], 3, 16],
    ['explain', ['explain', 'no-root', '-', ...rules], 3, 16],
    ['apply', ['apply', '-'], 2, 16],
    ['audit scrub', ['audit', 'scrub'], 2, 16],
    ['a key', ['audit', 'verify', 'a.yaml', '--key', '-'], 2, 16],
    ['a meter', ['billing', 'meter', '-', '--dry-run'], 2, 256],
    ['a ledger as one document', ['billing', 'ledger', 'check', '-'], 2, 256],
  ] as const)('of %s ends at the limit', async (_, argv, code, mebibytes) => {
    const ended = await withEndless(argv, { cwd: files().root }, 'a: 1 ')
    expect(ended.output).toContain(`more than the ${mebibytes * MEBIBYTE} bytes that are allowed`)
    expect([ended.code, ended.isLeft]).toEqual([code, true])
    expect(ended.bytes).toBeLessThan((mebibytes + 1) * MEBIBYTE)
  })

  it.each([
    ['audit verify', ['audit', 'verify', '-'], 3],
    ['audit inspect', ['audit', 'inspect', '-'], 3],
    ['audit prove', ['audit', 'prove', '1', '-'], 2],
    ['billing ledger verify', ['billing', 'ledger', 'verify', '-', '--audit', 'a.yaml'], 2],
  ] as const)('of %s ends where it is none of its lines', async (_, argv, code) => {
    for (const part of ['y\n', 'no line ends here ']) {
      const ended = await withEndless(argv, { cwd: files().root }, part)
      expect([ended.code, ended.isLeft], part).toEqual([code, true])
      expect(ended.bytes, part).toBeLessThan(10 * MEBIBYTE)
    }
  })

  it('of a command that keeps every line ends at its limit', async () => {
    const stdin = Readable.from(
      (function* () {
        for (;;) yield Buffer.from('{}\n')
      })(),
    )
    const [stdout, stderr] = [collector(), collector()]
    const taken = async () => {
      let bytes = 0
      for await (const { bytesDone } of keptLines(
        '-',
        { ...memoryIo({}, stdout.stream, stderr.stream), stdin },
        1000,
      )) {
        bytes = bytesDone
      }
      return bytes
    }
    await expect(taken()).rejects.toThrow('more than 1000 bytes, which this command keeps in memory')
  })

  it('that answers questions ends at a line that is too long for an answer', async () => {
    const env = { PLUMBLINE_CREDENTIALS: `${files().root}/credentials.json`, PLUMBLINE_URL: 'http://127.0.0.1:9' }
    const ended = await withEndless(['login'], { env }, 'x')
    expect(ended.output).toContain('more than 65536 bytes')
    expect(ended.bytes).toBeLessThan(MEBIBYTE)
  })
})

describe.skipIf(!existsSync('/dev/zero'))('a device that never ends', () => {
  const limit = `more than the ${16 * MEBIBYTE} bytes that are allowed`

  it.each([
    ['a plugin', ['check', '/dev/zero', ...rules], 3],
    ['rules', ['check', 'a.yaml', '-r', '/dev/zero'], 2],
    ['exemptions', ['check', 'a.yaml', ...rules, '--exemptions', '/dev/zero'], 2],
    ['a baseline', ['check', 'a.yaml', ...rules, '--baseline', '/dev/zero'], 2],
    ['a configuration', ['check', 'a.yaml', '--config', '/dev/zero'], 2],
    ['tests', ['test', '/dev/zero'], 2],
    ['a key', ['audit', 'verify', 'a.yaml', '--key', '/dev/zero'], 2],
    ['keys of provenance', ['plugins', 'provenance', 'a', '--verify', '--key', '/dev/zero'], 2],
    ['an earlier draft', ['ai', 'generate', 'pipeline', 'a shop', '--previous', '/dev/zero'], 2],
    ['what is applied', ['apply', '/dev/zero'], 2],
  ] as const)('is refused as %s', async (_, argv, code) => {
    const { stdout, stderr, ...ended } = await runCli(argv, { cwd: files().root })
    expect(`${stdout}${stderr}`).toContain(limit)
    expect(ended.code).toBe(code)
  })

  it('is refused as settings, as a ledger, as a log to seal, as credentials and as an archive', async () => {
    const { root } = files()
    const said = async (argv: readonly string[], env = {}) => {
      const { code, stderr } = await runCli(argv, { cwd: root, env })
      return [code, stderr]
    }
    const [more, tooLong] = [expect.stringContaining('bytes that are allowed'), expect.stringContaining('too long')]
    expect(await said(['billing', 'quote', '--plan', 'pro', '--settings', '/dev/zero'])).toEqual([2, more])
    expect(await said(['billing', 'ledger', 'verify', '/dev/zero', '--audit', 'a.yaml'])).toEqual([
      2,
      expect.stringContaining('line 1'),
    ])
    expect(await said(['audit', 'keygen', 'k', '--name', 'a.example'])).toEqual([0, expect.anything()])
    expect(await said(['audit', 'seal', '/dev/zero', '--key', 'k', '--origin', 'a.example'])).toEqual([2, tooLong])
    expect(await said(['whoami'], { PLUMBLINE_CREDENTIALS: '/dev/zero', PLUMBLINE_URL: 'http://127.0.0.1:9' })).toEqual(
      [2, more],
    )
    const signedIn = { PLUMBLINE_URL: 'http://127.0.0.1:9', PLUMBLINE_TOKEN: 'a' }
    const upload = await said(['plugins', 'upload', '/dev/zero'], signedIn)
    expect(upload).toEqual([2, expect.stringContaining('neither a file')])
  })
})
