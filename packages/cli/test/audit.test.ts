/**
 * `plumbline audit …` as a person uses it: makes a log from events, verifies it, damages it, proves it, erases from it,
 * has it witnessed.
 */

import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detailsHash as detailsHashFor, eventHash, parseSigningKey, parseVerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lines, openLines } from '../src/audit/input.js'
import { createWitness } from '../src/audit/witness-server.js'
import { WitnessStore } from '../src/audit/witness-store.js'
import { UsageError } from '../src/command.js'
import { commands } from '../src/commands.js'
import { parseCommandLine } from '../src/program/parse.js'
import { collector, memoryIo, type World } from './support/memory-io.js'

const folder = mkdtempSync(join(tmpdir(), 'audit-cli-'))
const file = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(file(name), 'utf8')

async function audit(argv: readonly string[], world: World = {}) {
  const stdout = collector()
  const stderr = collector()
  const io = memoryIo({ cwd: folder, ...world }, stdout.stream, stderr.stream)
  const parsed = parseCommandLine(commands, ['audit', ...argv])
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed).slice(0, 300))
  try {
    const code = await ((await parsed.spec.load?.())?.run(parsed.invocation, io) ?? Promise.resolve(70))
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { code: 2, stdout: stdout.text(), stderr: error.message }
  }
}

const event = (number: number, more: object = {}) =>
  JSON.stringify({
    action: 'org.update',
    actorId: `usr_${number}`,
    orgId: 'Acme',
    actorEmail: `u${number}@example.com`,
    ip: '203.0.113.7',
    occurredAt: `2026-01-31T08:00:${String(number).padStart(2, '0')}Z`,
    details: { name: `n${number}`, reason: 'arn:aws:iam::123456789012:role/x' },
    ...more,
  })
const events = (count: number) => `${Array.from({ length: count }, (_, index) => event(index + 1)).join('\n')}\n`

beforeAll(async () => {
  writeFileSync(file('events.jsonl'), events(9))
  for (const argv of [
    ['keygen', 'audit.key'],
    ['keygen', 'other.key'],
    ['keygen', 'w1.key', '--witness', '--name', 'witness.example/w1'],
    ['seal', 'events.jsonl', '--key', 'audit.key', '--origin', 'audit.example.com', '--output', 'log.jsonl'],
  ]) {
    expect(await audit(argv)).toMatchObject({ code: 0 })
  }
  writeFileSync(file('rows.jsonl'), read('log.jsonl').slice(read('log.jsonl').indexOf('\n') + 1))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('audit keygen', () => {
  it('keeps the signing key from others and never overwrites one', async () => {
    expect(statSync(file('audit.key')).mode & 0o077).toBe(0)
    const before = read('audit.key')
    expect(await audit(['keygen', 'audit.key'])).toMatchObject({ code: 2, stderr: '`audit.key` exists already' })
    expect(read('audit.key')).toBe(before)
  })
})

describe('audit seal', () => {
  it('says what it scrubbed, and the bundle does not hold it', async () => {
    const { stderr } = await audit(['seal', 'events.jsonl', '--key', 'audit.key'])
    expect(stderr).toContain('note: line 1: scrubbed /reason (account-number)')
    expect(read('log.jsonl')).not.toContain('123456789012')
    expect(read('log.jsonl')).toContain('arn:aws:iam::[REDACTED]:role/x')
  })

  it('continues a chain, and the older checkpoint still verifies', async () => {
    writeFileSync(file('more.jsonl'), event(10))
    expect(
      await audit(['seal', 'more.jsonl', '--key', 'audit.key', '--continue', 'log.jsonl', '--output', 'log2.jsonl']),
    ).toMatchObject({ code: 0 })
    const { code, stdout } = await audit(['verify', 'log2.jsonl', '--key', 'audit.key.pub', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'valid',
      count: 10,
      coveredThrough: 10,
      checkpoints: [{ size: 9 }, { size: 10 }],
    })
  })

  it.each([
    ['{"action":', 'line 1 is not JSON'],
    ['{"actorId":"x"}', 'line 1: `action` is required'],
    [event(1, { role: 'x' }), 'line 1: an event has no field `role`'],
    [event(1, { actorId: 7 }), 'line 1: `actorId` must be text or null'],
    [event(1, { createdAt: 'now' }), 'line 1: `createdAt` is not an instant'],
    [`${event(1)}\n${event(2, { orgId: 'other' })}`, 'line 2 belongs to chain `other`, not `acme`'],
    ['', 'there are no events to seal'],
  ])('refuses %j', async (text, message) => {
    const { code, stderr } = await audit(['seal', '-', '--key', 'audit.key'], { stdin: text })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('signs nothing on top of a broken log', async () => {
    writeFileSync(file('broken.jsonl'), read('log.jsonl').replace('usr_4', 'usr_5'))
    expect(await audit(['seal', 'more.jsonl', '--key', 'audit.key', '--continue', 'broken.jsonl'])).toMatchObject({
      code: 2,
      stderr: '`broken.jsonl` is not valid (hash_mismatch)',
    })
  })
})

describe('audit verify', () => {
  const verify = (name: string, ...argv: string[]) => audit(['verify', name, ...argv])

  it('exits 0 for a valid log, and says what could still be hidden', async () => {
    const { code, stdout } = await verify('log.jsonl', '--key', 'audit.key.pub')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^VALID {2}chain acme\n {2}checked {6}9 events, 1 to 9\n/)
    expect(stdout).toContain('what could still be hidden')
    expect(stdout).toContain('an event that was never written leaves no trace')
  })

  it('exits 3 when only the file vouches for itself, 0 when the caller says that it may', async () => {
    expect(await verify('log.jsonl')).toMatchObject({ code: 3 })
    expect(await verify('log.jsonl', '--trust-file-keys')).toMatchObject({ code: 0 })
    expect((await verify('log.jsonl', '--key', 'other.key.pub')).stdout).toContain('(unknown_key)')
  })

  it('exits 3 for bare rows, 0 with --chain-only, and says the same both times', async () => {
    const sentence = 'a truncated tail or a recomputed log would look the same'
    for (const [argv, code] of [
      [[], 3],
      [['--chain-only'], 0],
    ] as const) {
      const result = await verify('rows.jsonl', ...argv)
      expect(result.code).toBe(code)
      expect(result.stdout).toContain(sentence)
    }
  })

  it('lets --chain-only excuse no checkpoint that is there and cannot be checked', async () => {
    expect(await verify('log.jsonl', '--chain-only')).toMatchObject({ code: 3 })
    expect(await verify('log.jsonl', '--chain-only', '--key', 'other.key.pub')).toMatchObject({ code: 3 })
    writeFileSync(file('junk.txt'), 'no checkpoint\n')
    const junk = await verify('log.jsonl', '--chain-only', '--key', 'audit.key.pub', '--checkpoint', 'junk.txt')
    expect(junk).toMatchObject({ code: 3 })
    expect(junk.stdout).toContain('(missing_checkpoint)')
  })

  it('compares with a checkpoint that was kept', async () => {
    const checkpoint = JSON.parse(read('log.jsonl').split('\n')[0] ?? '').checkpoints[0]
    writeFileSync(file('kept.txt'), `${checkpoint}\n`)
    const argv = ['--checkpoint', 'kept.txt', '--key', 'audit.key.pub']
    expect(await verify('rows.jsonl', ...argv)).toMatchObject({ code: 0 })
    const rows = read('rows.jsonl').trimEnd().split('\n')
    writeFileSync(file('short.jsonl'), `${rows.slice(0, 5).join('\n')}\n`)
    const truncated = await verify('short.jsonl', ...argv)
    expect(truncated.code).toBe(1)
    expect(truncated.stdout).toContain('event 6: rows that are known to exist are missing')
  })

  it('exits 1 and names the place for a changed, missing or foreign row', async () => {
    const lines = read('log.jsonl').trimEnd().split('\n')
    const damaged: [string, string[], string][] = [
      ['changed.jsonl', lines.map((line) => line.replace('usr_4', 'usr_5')), 'event 4: a row is not what was sealed'],
      ['missing.jsonl', lines.filter((_, index) => index !== 4), 'event 5: sequence numbers do not follow'],
      [
        'mixed.jsonl',
        lines.map((line, index) => (index === 6 ? line.replace('"chain":"acme"', '"chain":"b"') : line)),
        'event 6: a row belongs to another chain',
      ],
      ['garbage.jsonl', [...lines.slice(0, 3), 'garbage', ...lines.slice(3)], 'event 3: a row is not a record'],
    ]
    for (const [name, text, message] of damaged) {
      writeFileSync(file(name), `${text.join('\n')}\n`)
      const { code, stdout } = await verify(name)
      expect(code).toBe(1)
      expect(stdout).toContain(message)
    }
  })

  it('exits 1 for a file that was cut at any byte behind its first row', async () => {
    const text = read('log.jsonl')
    const start = text.indexOf('\n', text.indexOf('\n') + 1)
    for (let end = start + 2; end < text.length - 1; end += 397) {
      const { code } = await audit(['verify', '-', '--key', 'audit.key.pub'], { stdin: text.slice(0, end) })
      expect(code).toBe(1)
    }
  })

  it('tells what a server answered in place of the log', async () => {
    const refusal = { success: false, statusCode: 429, code: 'RATE_LIMIT_EXCEEDED', message: 'too many requests' }
    for (const end of ['', '\n']) {
      await expect(audit(['verify', '-'], { stdin: `${JSON.stringify(refusal)}${end}` })).rejects.toMatchObject({
        exitCode: 3,
        message: expect.stringContaining('too many requests (RATE_LIMIT_EXCEEDED)'),
      })
    }
  })

  it('exits 3 for what is not a log, 2 for what is not there', async () => {
    for (const stdin of ['', '\n\n', 'hello\n', '{"a":1}\n', '[]\n', Uint8Array.from([0x1f, 0x8b, 8, 0, 10, 255])]) {
      expect((await audit(['verify', '-'], { stdin })).code).toBe(3)
    }
    expect(await verify('nowhere.jsonl')).toMatchObject({ code: 2, stderr: 'there is no file `nowhere.jsonl`' })
    expect(await verify('.')).toMatchObject({ code: 2, stderr: '`.` is a folder' })
    expect(await verify('log.jsonl', '--key', 'audit.key')).toMatchObject({ code: 2 })
    expect(await verify('log.jsonl', '--checkpoint', 'nowhere.txt')).toMatchObject({ code: 2 })
    expect((await verify('log.jsonl', '--checkpoint', 'events.jsonl', '--key', 'audit.key.pub')).code).toBe(3)
  })

  it('gives up on a line that no log can hold before it fills the memory', async () => {
    writeFileSync(file('deep.jsonl'), '['.repeat(10 << 20))
    const { lines } = openLines('deep.jsonl', memoryIo({ cwd: folder }, collector().stream, collector().stream))
    const batches: Lines[] = []
    for await (const batch of lines) batches.push(batch)
    expect(batches).toMatchObject([{ isTooLong: true, texts: [] }])
    expect(await verify('deep.jsonl')).toMatchObject({ code: 3 })
  })

  it('lets nothing from the file reach the terminal unescaped', async () => {
    const rows = read('rows.jsonl').replaceAll('"chain":"acme"', '"chain":"\\u001b[31mred"')
    const { stdout } = await audit(['verify', '-'], { stdin: rows })
    expect(stdout).not.toContain('\u001b')
  })

  it('reads CRLF, a byte order mark and empty lines', async () => {
    const text = `\ufeff\n${read('log.jsonl').replaceAll('\n', '\r\n\r\n')}`
    expect((await audit(['verify', '-', '--key', 'audit.key.pub'], { stdin: text })).code).toBe(0)
  })
})

describe('audit prove', () => {
  it('cuts out one event that verifies alone, and no other', async () => {
    const { code, stdout } = await audit(['prove', '4', 'log.jsonl'])
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
    const report = await audit(['verify', '-', '--key', 'audit.key.pub'], { stdin: stdout })
    expect(report).toMatchObject({ code: 0 })
    expect(report.stdout).toContain('only events 4 to 4 are here')
    expect(
      (await audit(['verify', '-', '--key', 'audit.key.pub'], { stdin: stdout.replace('usr_4', 'usr_5') })).code,
    ).toBe(1)
    expect((await audit(['prove', '4', 'log.jsonl', '--format', 'tlog-proof'])).stdout).toMatch(
      /^c2sp\.org\/tlog-proof@v1\nindex 3\n/,
    )
    expect(await audit(['prove', '40', 'log.jsonl'])).toMatchObject({
      code: 2,
      stderr: '`log.jsonl` holds events 1 to 9, not 40',
    })
  })
})

describe('audit inspect, scrub, checkpoint', () => {
  it('shows what is in a log', async () => {
    expect((await audit(['inspect', 'log.jsonl'])).stdout).toContain('action       org.update × 9')
    const { stdout } = await audit(['inspect', 'log.jsonl', '--seq', '2-3', '--json'])
    expect(JSON.parse(stdout).map((event: { details: { name: string } }) => event.details.name)).toEqual(['n2', 'n3'])
    expect((await audit(['inspect', 'log.jsonl', '--seq', '77'])).code).toBe(3)
    expect((await audit(['inspect', '-'], { stdin: 'hello' })).code).toBe(3)
  })

  it('shows details that a log sealed though they are not JSON', async () => {
    const row = JSON.parse(read('rows.jsonl').split('\n')[0] ?? '')
    const details = 'no JSON'
    const detailsHash = detailsHashFor(nodeCrypto, row.detailsSalt, details)
    const changed = { ...row, details, detailsHash }
    writeFileSync(file('odd.jsonl'), `${JSON.stringify({ ...changed, hash: eventHash(nodeCrypto, changed) })}\n`)
    const { code, stdout } = await audit(['inspect', 'odd.jsonl', '--seq', '1'])
    expect(code).toBe(0)
    expect(stdout).toContain('no JSON')
  })

  it('shows what scrubbing would remove, never the value', async () => {
    const details = '{"account":"s3cret","arn":"x:123456789012"}'
    const { stdout, code } = await audit(['scrub', '-'], { stdin: details })
    expect(code).toBe(0)
    expect(stdout).toContain('account-key     /account')
    expect(stdout).not.toMatch(/s3cret|123456789012/)
    expect((await audit(['scrub', '-'], { stdin: '{' })).code).toBe(2)
  })

  it('says who signed a checkpoint', async () => {
    expect((await audit(['checkpoint', 'verify', 'log.jsonl', '--key', 'audit.key.pub'])).code).toBe(0)
    expect((await audit(['checkpoint', 'verify', 'log.jsonl'])).code).toBe(3)
    const kept = read('kept.txt').replace('\n9\n', '\n8\n')
    const forged = await audit(['checkpoint', 'verify', '-', '--key', 'audit.key.pub'], { stdin: kept })
    expect(forged.code).toBe(1)
    expect(forged.stdout).toContain('forged')
  })
})

describe('audit erase', () => {
  it('takes the person out, keeps the log valid, and every older checkpoint too', async () => {
    const argv = [
      'erase',
      'log.jsonl',
      '--part',
      'identity',
      '--seq',
      '2-3',
      '--key',
      'audit.key',
      '--output',
      'erased.jsonl',
    ]
    expect(await audit(argv)).toMatchObject({ code: 0 })
    expect(read('erased.jsonl')).not.toMatch(/u2@example|u3@example/)
    const { code, stdout } = await audit([
      'verify',
      'erased.jsonl',
      '--key',
      'audit.key.pub',
      '--checkpoint',
      'kept.txt',
      '--json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ erased: 2, count: 10 })
    expect(
      await audit(['erase', 'erased.jsonl', '--part', 'identity', '--seq', '2', '--key', 'audit.key']),
    ).toMatchObject({ code: 2 })
  })
})

describe('a copy without the identities of foreign actors', () => {
  const options = ['--key', 'audit.key.pub', '--checkpoint', 'kept.txt']
  const write = (name: string, change: (rows: Record<string, unknown>[]) => void, declared = true) => {
    const [manifest, ...rows] = read('log.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    change(rows)
    const first = declared ? { ...manifest, withheld: 'foreign-identities' } : manifest
    writeFileSync(file(name), [first, ...rows].map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  const leaveOut = (row: Record<string, unknown> | undefined) =>
    Object.assign(row ?? {}, { actorEmail: null, ip: null, userAgent: null, identitySalt: null })

  it('is valid, and says how many it lacks', async () => {
    write('copy.jsonl', (rows) => rows.slice(0, 4).map(leaveOut))
    const { code, stdout } = await audit(['verify', 'copy.jsonl', ...options])
    expect(code).toBe(0)
    expect(stdout).toContain('withheld     identity of the actor of 4 events')
    const json = JSON.parse((await audit(['verify', 'copy.jsonl', ...options, '--json'])).stdout)
    expect(json).toMatchObject({ verdict: 'valid', withheld: 4, erased: 0 })
    expect((await audit(['inspect', 'copy.jsonl'])).stdout).toContain('withheld     identity of the actor of 4 events')
  })

  it('stays one when it is continued, erased from or cut', async () => {
    const rest = ['--key', 'audit.key', '--output', 'next.jsonl']
    expect(await audit(['seal', 'events.jsonl', '--continue', 'copy.jsonl', ...rest])).toMatchObject({ code: 0 })
    expect((await audit(['verify', 'next.jsonl', ...options])).stdout).toContain('of 4 events')
    const erase = ['erase', 'copy.jsonl', '--part', 'details', '--seq', '9']
    expect(await audit([...erase, ...rest])).toMatchObject({ code: 0 })
    expect((await audit(['verify', 'next.jsonl', ...options])).stdout).toContain('of 4 events')
    const { stdout } = await audit(['prove', '2', 'copy.jsonl'])
    writeFileSync(file('one.jsonl'), stdout)
    expect(await audit(['verify', 'one.jsonl', '--key', 'audit.key.pub'])).toMatchObject({ code: 0 })
  })

  it('is invalid when it does not say so, and when what is there was changed', async () => {
    write('silent.jsonl', (rows) => void leaveOut(rows[0]), false)
    expect((await audit(['verify', 'silent.jsonl', ...options])).stdout).toContain('unexplained_erasure')
    write('changed.jsonl', (rows) => Object.assign(leaveOut(rows[0]), { ip: '192.0.2.1' }))
    expect((await audit(['verify', 'changed.jsonl', ...options])).stdout).toContain('hash_mismatch')
  })
})

describe('audit witness', () => {
  const key = () => parseSigningKey(nodeCrypto, read('w1.key').trim()) ?? fail()
  const logKey = () => parseVerifierKey(nodeCrypto, read('audit.key.pub').trim()) ?? fail()
  const serve = async (state: string) => {
    const logs = new Map([['audit.example.com/acme', [logKey()]]])
    const server = createWitness({
      key: key(),
      logs,
      store: new WitnessStore(file(state)),
      now: () => new Date(),
      log: () => {},
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => new Promise((done) => server.close(done)),
    }
  }
  const request = (bundle: string, url: string, out: string) =>
    audit(['witness', 'request', bundle, '--url', url, '--key', 'w1.key.pub', '--output', out])

  it('cosigns a log as it grows, remembers across restarts, and refuses a fork', async () => {
    const first = await serve('state.json')
    expect(await request('log.jsonl', first.url, 'cosigned.jsonl')).toMatchObject({ code: 0 })
    await first.close()
    expect(JSON.parse(read('state.json'))).toMatchObject({ 'audit.example.com/acme': { size: 9 } })

    const second = await serve('state.json')
    expect(await request('log2.jsonl', second.url, 'cosigned2.jsonl')).toMatchObject({ code: 0 })
    const argv = ['verify', 'cosigned2.jsonl', '--key', 'audit.key.pub', '--key', 'w1.key.pub']
    const verified = await audit(argv)
    expect(verified.code).toBe(0)
    expect(verified.stdout).toContain('witnessed by witness.example/w1')
    expect(verified.stdout).not.toContain('no witness cosigned')

    // The same events sealed a second time: other salts and another history, but the same key.
    writeFileSync(file('ten.jsonl'), events(10))
    await audit(['seal', 'ten.jsonl', '--key', 'audit.key', '--origin', 'audit.example.com', '--output', 'fork.jsonl'])
    const fork = await request('fork.jsonl', second.url, 'x.jsonl')
    expect(fork).toMatchObject({ code: 2 })
    expect(fork.stderr).toContain('one of the two is a fork')
    const rolledBack = await request('log.jsonl', second.url, 'x.jsonl')
    expect(rolledBack.stderr).toContain('this log was cut')
    expect(existsSync(file('x.jsonl'))).toBe(false)
    await second.close()
  })

  it('cosigns one history only when two are submitted at once', async () => {
    const witness = await serve('race.json')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        request(index % 2 === 0 ? 'log2.jsonl' : 'fork.jsonl', witness.url, `race${index}.jsonl`),
      ),
    )
    const cosigned = answers.map(({ code }) => code === 0)
    expect(cosigned.some((yes, index) => yes && index % 2 === 0)).not.toBe(
      cosigned.some((yes, index) => yes && index % 2 === 1),
    )
    await witness.close()
  })

  it('refuses to start from a damaged state, and to listen to a broken witness', async () => {
    appendFileSync(file('state.json'), 'x')
    expect(() => new WitnessStore(file('state.json'))).toThrow(/is not a witness state/)
    const liar = createServer((_, response) => response.end('\u2014 witness.example/w1 AAAAAAAA\n'))
    await new Promise<void>((done) => liar.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
    expect((await request('log.jsonl', url, 'y.jsonl')).stderr).toContain('no valid cosignature')
    await new Promise((done) => liar.close(done))
    expect((await request('log.jsonl', url, 'y.jsonl')).stderr).toContain('cannot be reached')
  })

  it('takes nothing but a state for a state', () => {
    for (const text of ['', '[]', '""', '5', 'null', '{"o":null}', `{"o":{"size":-1,"root":"${'a'.repeat(64)}"}}`]) {
      writeFileSync(file('odd.json'), text)
      expect(() => new WitnessStore(file('odd.json')), text).toThrow(/is not a witness state/)
    }
  })

  it('writes over no state of another process, which could have cosigned another history', () => {
    const one = new WitnessStore(file('shared.json'))
    const two = new WitnessStore(file('shared.json'))
    one.put('o', { size: 5, root: 'a'.repeat(64) })
    expect(() => two.put('o', { size: 5, root: 'b'.repeat(64) })).toThrow(/another process changed/)
    expect(two.last('o')).toBeNull()
    one.put('o', { size: 6, root: 'c'.repeat(64) })
    expect(new WitnessStore(file('shared.json')).last('o')).toMatchObject({ size: 6 })
  })

  it('never lets a size go down', () => {
    const store = new WitnessStore(file('down.json'))
    store.put('o', { size: 5, root: 'a'.repeat(64) })
    expect(() => store.put('o', { size: 4, root: 'a'.repeat(64) })).toThrow(/replace the state/)
    expect(new WitnessStore(file('down.json')).last('o')).toMatchObject({ size: 5 })
  })
})

function fail(): never {
  throw new Error('the key must parse')
}
