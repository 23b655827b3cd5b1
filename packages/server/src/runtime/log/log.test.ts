/** The redaction list: each secret is planted at several depths, and none of it reaches the output. */
import { describe, expect, it } from 'vitest'
import { createLog } from './log.js'

function lines(use: (log: ReturnType<typeof createLog>) => void): string {
  const written: string[] = []
  use(createLog({ level: 'trace', destination: { write: (line) => void written.push(line) } }))
  return written.join('')
}

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
      log.info({ [key]: CANARY }, 'm')
      log.child({ request: { headers: { [key]: CANARY } } }).warn({}, 'm')
      log.error({ list: [{ deep: { [key]: [CANARY] } }] }, 'm')
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
      log.info({ note: `before ${secret} after` }, `message ${secret} end`)
      log.error({ error: new Error(`failed with ${secret}`, { cause: new Error(`because ${secret}`) }) }, 'm')
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
    const output = lines((log) => log.error({ error }, 'm'))
    expect(output).toContain('insert into users')
    expect(output).toContain('23505')
    expect(output).not.toContain(CANARY)
  })

  it('writes one JSON object a line, with level, time and message', () => {
    const output = lines((log) => log.info({ text: 'two\nlines', bytes: new Uint8Array(3) }, 'a message'))
    expect(output.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(output)).toMatchObject({
      level: 'info',
      message: 'a message',
      text: 'two\nlines',
      bytes: '[3 bytes]',
    })
  })
})
