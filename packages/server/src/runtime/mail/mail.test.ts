/** E-mail through a real SMTP server in this process: what arrives, how often, and what cannot be smuggled in. */
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jobKit } from '../../../test/support/job-kit.js'
import { testSettings } from '../../../test/support/settings.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { enqueue } from '../jobs/enqueue.js'
import type { Store } from '../store/db.js'
import { MAIL_JOB, mailJob, requireMail, sendMail } from './send.js'
import { defineTemplate } from './template.js'
import { type MailTransport, mailTransport } from './transport.js'

const greeting = defineTemplate({
  name: 'test.greeting',
  values: Type.Object({ name: Type.String(), link: Type.String() }),
  subject: ({ name }) => `Hello ${name}`,
  text: ({ name, link }) => `Hello ${name},\n\n${link}\n`,
})

const LINK = 'https://p.example/invite?token=abcdefghijklmnop'
const received: { raw: string; to: string[] }[] = []
let refuseWith: { responseCode: number } | null = null
let smtp: SMTPServer
let store: Store
let transport: MailTransport

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (refuseWith !== null) return done(Object.assign(new Error('no'), refuseWith))
        received.push({
          raw: Buffer.concat(parts).toString(),
          to: session.envelope.rcptTo.map(({ address }) => address),
        })
        done()
      })
    },
  })
  await new Promise<void>((ready) => smtp.listen(0, '127.0.0.1', () => ready()))
  const { port } = smtp.server.address() as AddressInfo
  transport = mailTransport(smtpSettings(port), () => undefined)
  store = await sqliteStore()
})
afterAll(async () => {
  transport.close()
  await new Promise<void>((done) => smtp.close(() => done()))
  await store.close()
})
beforeEach(() => {
  received.length = 0
  refuseWith = null
})

const smtpSettings = (port: number) =>
  testSettings({
    EMAIL_PROVIDER: 'smtp',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(port),
    SMTP_REQUIRE_TLS: 'false',
    MAIL_FROM: 'Plumbline <noreply@p.example>',
  })

async function send(to: string, values: { name: string; link: string }) {
  const kit = jobKit(store)
  await kit.clear()
  await store.system.write((tx) =>
    sendMail({ runtime: kit.runtime, enqueue: (message) => enqueue(tx, kit.runtime, message) }, to, greeting, values),
  )
  const [queued] = await kit.rows()
  await kit.background([mailJob([greeting], transport)]).worker.settle()
  const [row] = await kit.rows()
  return { kit, queued, row }
}

describe('e-mail', () => {
  it('arrives at one address with subject and text, and its values do not stand in the database', async () => {
    const { queued, row } = await send('ann@x.example', { name: 'Änn', link: LINK })
    expect(JSON.stringify(queued)).not.toMatch(/ann@x|token=/)
    expect(row).toMatchObject({ kind: MAIL_JOB, state: 'done', payload: {} })
    expect(received.map(({ to }) => to)).toEqual([['ann@x.example']])
    const mail = await PostalMime.parse(received[0]?.raw ?? '')
    expect(mail.subject).toBe('Hello Änn')
    expect(mail.from?.address).toBe('noreply@p.example')
    expect(mail.text?.trim()).toBe(`Hello Änn,\n\n${LINK}`)
    expect(mail.html).toBeUndefined()
    expect(mail.messageId).toBe(`<${queued?.id}@p.example>`)
  })

  it('has no header that a value brought along', async () => {
    const name = 'Ann\r\nBcc: eve@x.example\r\n\r\nforged'
    await send('ann@x.example', { name, link: LINK })
    const mail = await PostalMime.parse(received[0]?.raw ?? '')
    expect(received[0]?.to).toEqual(['ann@x.example'])
    expect(mail.bcc ?? []).toEqual([])
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail.subject).toBe('Hello Ann Bcc: eve@x.example forged')
  })

  it.each([
    'a@x.example, eve@x.example',
    'a@x.example\r\nRCPT TO:<eve@x.example>',
    '<eve@x.example>',
    'a b@x.example',
    'nobody',
  ])('is buried when the recipient is not one address: %j', async (to) => {
    const { row } = await send(to, { name: 'A', link: LINK })
    expect(row?.state).toBe('dead')
    expect(received).toEqual([])
  })

  it('is tried again after a temporary refusal, with the same Message-ID, and buried after a final one', async () => {
    refuseWith = { responseCode: 451 }
    const { kit, queued, row } = await send('ann@x.example', { name: 'A', link: LINK })
    expect(row).toMatchObject({ state: 'waiting', attempts: 1 })
    refuseWith = null
    kit.clock.advance(3_600_000)
    await kit.background([mailJob([greeting], transport)]).worker.settle()
    expect((await PostalMime.parse(received[0]?.raw ?? '')).messageId).toBe(`<${queued?.id}@p.example>`)
    refuseWith = { responseCode: 550 }
    expect((await send('ann@x.example', { name: 'A', link: LINK })).row).toMatchObject({ state: 'dead', attempts: 1 })
  })

  it('is shown to the developer without a provider, and refused where it is the point in production', async () => {
    const shown: string[] = []
    const printer = mailTransport(testSettings(), (text) => shown.push(text))
    await printer.send({ to: 'ann@x.example', subject: 'S', text: LINK, messageId: 'm' })
    expect(shown.join('')).toContain(LINK)
    expect(() => requireMail({ EMAIL_PROVIDER: 'none', NODE_ENV: 'development' })).not.toThrow()
    expect(() => requireMail({ EMAIL_PROVIDER: 'smtp', NODE_ENV: 'production' })).not.toThrow()
    expect(() => requireMail({ EMAIL_PROVIDER: 'none', NODE_ENV: 'production' })).toThrow(
      expect.objectContaining({ code: 'EMAIL_NOT_CONFIGURED', status: 503 }),
    )
  })
})
