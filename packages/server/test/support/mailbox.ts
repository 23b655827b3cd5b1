/** A real SMTP server in this process that stores the received e-mails. */
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Mail {
  readonly to: string
  readonly text: string
  readonly subject: string
}

export interface Mailbox {
  /** Settings of a server that sends its e-mails here. */
  readonly settings: { readonly SMTP_HOST: string; readonly SMTP_PORT: string }
  /** The oldest first. */
  readonly received: Mail[]
  /** @throws Error that lists all e-mails if none matches. */
  newest(to: string, isOne: (mail: Mail) => boolean): Mail
  close(): Promise<void>
}

export async function openMailbox(): Promise<Mailbox> {
  const received: Mail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(parts)).then(({ text = '', subject = '' }) => {
          received.push({ to: session.envelope.rcptTo[0]?.address ?? '', text, subject })
          done()
        }, done)
      })
    },
  })
  // A killed process breaks its connection.
  smtp.on('error', () => undefined)
  await new Promise<void>((ready) => smtp.listen(0, '127.0.0.1', () => ready()))
  const { port } = smtp.server.address() as AddressInfo
  return {
    settings: { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port) },
    received,
    newest(to, isOne) {
      const found = received.findLast((mail) => mail.to === to && isOne(mail))
      if (found === undefined) throw new Error(`no such mail reached ${to}: ${JSON.stringify(received)}`)
      return found
    },
    close: () => new Promise<void>((done) => smtp.close(() => done())),
  }
}
