/** A start that cannot succeed: one message that says what to do, no stack, no secret, and nothing that goes on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../src/runtime/log/log.js'
import { refusedConnection } from '../src/runtime/store/refused-connection.js'
import { whyNotStarted } from '../src/runtime/why-not-started.js'
import { startServer } from '../src/server.js'
import { TEST_ENVIRONMENT } from './support/settings.js'

const folders: string[] = []
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-refused-'))
  folders.push(folder)
})
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

/** Tries to start, and comes back with why it did not, and with what was logged until a while later. */
async function refused(settings: Record<string, string>): Promise<{ name: string; message: string; logged: string }> {
  const logged: string[] = []
  const error = await startServer({
    environment: { ...TEST_ENVIRONMENT, PORT: '0', DATA_DIR: folder, SHUTDOWN_DELAY_MS: '0', ...settings },
    log: createLog({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } }),
    print: () => undefined,
  }).then(
    () => {
      throw new Error('it started')
    },
    (reason: Error) => reason,
  )
  // Whatever had begun would try its work again by now.
  await sleep(500)
  return { name: error.name, message: error.message, logged: logged.join('') }
}

/** No setting: the file lies where the server looks. */
const none = (_file: string) => ({})
const PASSWORD = 'sekret-of-the-database'

describe('a start is refused', () => {
  it.each<[string, () => Record<string, string>, string, RegExp]>([
    [
      'a folder that is a file',
      () => ({ DATA_DIR: put('file', '') }),
      'CannotStart',
      /a part of it is a file|it is a file/,
    ],
    [
      'a folder that the file system does not make',
      () => ({ DATA_DIR: '/proc/plumbline/data' }),
      'CannotStart',
      // Where there is no /proc, the root refuses it.
      /^\/proc\S* cannot be used: .* \((ENOENT|EROFS|EACCES)\)$/,
    ],
    [
      'a file that is not a database',
      () => none(put('plumbline.db', 'x'.repeat(4096))),
      'CannotStart',
      /is not a database/,
    ],
    [
      'a certificate that is not there',
      () => ({ TLS_CERT: '/nowhere', TLS_KEY: '/nowhere' }),
      'BadSettings',
      /TLS_CERT cannot be read: ENOENT/,
    ],
    [
      'a certificate that is none',
      () => ({ TLS_CERT: put('cert.pem', 'none'), TLS_KEY: put('key.pem', 'none') }),
      'BadSettings',
      /not a certificate and its key/,
    ],
    [
      'a database that is away',
      () => ({ DATABASE_URL: `postgres://plumbline:${PASSWORD}@127.0.0.1:1/plumbline` }),
      'BadSettings',
      /cannot be reached at 127\.0\.0\.1:1 \(ECONNREFUSED\): start it/,
    ],
  ])('over %s', async (_what, prepare, name, message) => {
    const outcome = await refused(prepare())
    expect(outcome).toMatchObject({ name, message: expect.stringMatching(message), logged: '' })
    expect(outcome.message).not.toContain(PASSWORD)
  })

  it('over a port that is taken, and nothing of the process goes on', async () => {
    const taken = createServer((socket) => socket.destroy())
    await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', () => ready()))
    const { port } = taken.address() as { port: number }
    const outcome = await refused({ PORT: String(port) })
    await new Promise((closed) => taken.close(closed))
    expect(outcome).toEqual({
      name: 'BadSettings',
      message: `PORT ${port} is in use by another program: set PORT, or start with --port ${port + 1}`,
      logged: '',
    })
  })
})

/** @returns the path. */
function put(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('why', () => {
  const failed = (code: string, more: object = {}) => Object.assign(new Error('as the driver says'), { code, ...more })
  const places = { DATABASE_URL: null, DATA_DIR: './data' }

  it('is found behind what was made of it, and is not made up for a fault of the program', () => {
    const full = new Error('not stored', { cause: failed('SQLITE_FULL') })
    expect(whyNotStarted(full, places)?.message).toContain('cannot grow: the disk is full')
    expect(whyNotStarted(failed('SQLITE_IOERR_WRITE'), places)?.message).toContain('the disk fails or is full')
    expect(whyNotStarted(failed('EROFS', { path: '/data' }), null)?.message).toMatch(
      /^\/data .* read-only file system \(EROFS\)$/,
    )
    for (const fault of [
      new TypeError('x'),
      failed('ENOENT', { path: '/app/migrations' }),
      failed('SQLITE_CONSTRAINT'),
    ])
      expect(whyNotStarted(fault, places)).toBeNull()
  })

  it('PostgreSQL refuses is told without user and password', () => {
    const url = `postgres://plumbline:${PASSWORD}@db:5432/shop`
    const told = Object.fromEntries(
      ['28P01', '28000', '3D000', '53300', '57P03', 'ENOTFOUND', 'ETIMEDOUT', 'X'].map((code) => [
        code,
        refusedConnection(failed(code), url),
      ]),
    )
    expect(told['3D000']).toContain('there is no database shop: create it with CREATE DATABASE')
    expect(told['ENOTFOUND']).toBe('cannot be reached at db:5432 (ENOTFOUND): start it, or correct the address')
    expect(told['X']).toBe('cannot be reached at db:5432 (X)')
    expect(Object.values(told).filter((text) => text.includes('plumbline') || text.includes(PASSWORD))).toEqual([])
    expect(refusedConnection(failed('ENOENT'), 'postgres:///shop?host=/run/postgresql')).toContain('/run/postgresql')
  })
})
