/** The log: each line has an event, and of a secret that is planted at any depth nothing reaches the output. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { LOG_EVENTS, logEventsPage } from './events.js'
import { createLog } from './log.js'

function lines(use: (log: ReturnType<typeof createLog>) => void): string {
  const written: string[] = []
  use(createLog({ level: 'trace', destination: { write: (line) => void written.push(line) } }))
  return written.join('')
}

const sources = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/[\\/]log[\\/](events|log\.test)\.ts$/.test(path))
  .map((path) => readFileSync(join(sources, path), 'utf8'))
  .join('\n')

const CANARY = 'canary4711'

describe('the log', () => {
  it.each([
    'password',
    'newPassword',
    'currentPassword',
    'passwordHash',
    'clientSecret',
    'secret',
    'token',
    'accessToken',
    'refreshToken',
    'stepUpToken',
    'x-step-up-token',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'apiKey',
    'privateKey',
    'recoveryCodes',
    'code',
    'Idempotency-Key',
    'acceptUrl',
    'payload',
  ])('hides what stands under %s, at any depth', (key) => {
    const output = lines((log) => {
      log.write('server.ready', { [key]: CANARY })
      log.child({ request: { headers: { [key]: CANARY } } }).write('store.slow_write', {})
      log.write('http.operation_failed', { list: [{ deep: { [key]: [CANARY] } }] })
    })
    expect(output).toContain('[hidden]')
    expect(output).not.toContain(CANARY)
  })

  it.each([
    `bearer ${CANARY}x`,
    `Basic ${CANARY}x`,
    `plp_${CANARY}${CANARY}`,
    `plr_${CANARY}${CANARY}`,
    `eyJhbGciOiJIUzI1NiJ9.${CANARY}.${CANARY}`,
    `/invite/accept?token=${CANARY}`,
    `postgres://user:${CANARY}@db.example/x`,
  ])('hides a secret in the middle of a text: %s', (secret) => {
    const output = lines((log) => {
      log.write('server.setting_noted', { note: `before ${secret} after` }, `message ${secret} end`)
      log.write('http.operation_failed', {
        error: new Error(`failed with ${secret}`, { cause: new Error(`because ${secret}`) }),
      })
    })
    expect(output).not.toContain(CANARY)
    expect(output).toContain('because')
  })

  it('hides the parameters of a failed statement, and what drivers add to errors', () => {
    const error = Object.assign(new Error(`Failed query: insert into users values (?)\nparams: ${CANARY}`), {
      code: '23505',
      detail: `Key (email)=(${CANARY}) already exists`,
      rows: [{ password_hash: CANARY }],
    })
    const output = lines((log) => log.write('http.operation_failed', { error }))
    expect(output).toContain('insert into users')
    expect(output).toContain('23505')
    expect(output).not.toContain(CANARY)
  })

  it.each(Object.entries(LOG_EVENTS))('shows each field that the page of %s names', (event, { means }) => {
    const named = [...means.matchAll(/`([a-z]+[A-Za-z]*)`/g)].map(([, field = '']) => field)
    const output = lines((log) =>
      log.write(event as keyof typeof LOG_EVENTS, Object.fromEntries(named.map((each) => [each, 'shown']))),
    )
    expect(output).not.toContain('[hidden]')
  })

  it('writes one JSON object a line, with level, time, event and message', () => {
    const output = lines((log) =>
      log.write('server.ready', { text: 'two\nlines', bytes: new Uint8Array(3) }, 'a message'),
    )
    expect(output.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(output)).toMatchObject({
      level: 'info',
      event: 'server.ready',
      message: 'a message',
      text: 'two\nlines',
      bytes: '[3 bytes]',
    })
  })

  it('takes no line without an event of the table', () => {
    lines((log) => {
      // @ts-expect-error an event that the table does not name
      expect(() => log.write('server.made_up', {})).toThrow()
      // @ts-expect-error a message alone
      expect(() => log.write({}, 'a message')).toThrow()
    })
  })
})

/** Their names are those that the specification gives. Source: spec platform 11. */
const GIVEN = ['registry.tag.copy', 'registry.tag.delete']

describe('log events', () => {
  it.each(Object.keys(LOG_EVENTS))(
    '%s is domain.noun_verb or a name of the specification, and something logs it',
    (name) => {
      if (!GIVEN.includes(name)) expect(name).toMatch(/^[a-z]+\.[a-z]+(_[a-z]+)*$/)
      expect(SOURCES).toContain(`'${name}'`)
    },
  )

  it('are listed by the reference', () => {
    const page = new URL('../../../../../docs/reference/log-events.md', import.meta.url)
    expect(readFileSync(fileURLToPath(page), 'utf8'), 'run: npm run generate').toBe(logEventsPage())
  })
})
