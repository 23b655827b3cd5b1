/** How an e-mail is sent: through SMTP, or, in development without SMTP, as text on the terminal. */
import { createTransport } from 'nodemailer'
import { PermanentFailure } from '../jobs/define.js'
import type { Settings } from '../settings/load.js'

export interface MailMessage {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Left part of the Message-ID. */
  readonly messageId: string
}

export interface MailTransport {
  /**
   * Resolves when the next server has accepted the message.
   *
   * @throws PermanentFailure when it never will.
   */
  send(message: MailMessage): Promise<void>
  close(): void
}

const CONNECT_MS_MAX = 10_000
const SOCKET_MS_MAX = 30_000

export function mailTransport(settings: Settings, print: (text: string) => void): MailTransport {
  return settings.EMAIL_PROVIDER === 'smtp' ? smtp(settings) : printer(print)
}

function smtp(settings: Settings): MailTransport {
  const { SMTP_HOST, SMTP_PORT, SMTP_SECURE, SMTP_REQUIRE_TLS, SMTP_USER, SMTP_PASSWORD, MAIL_FROM } = settings
  const transport = createTransport({
    host: SMTP_HOST ?? '',
    port: SMTP_PORT,
    secure: SMTP_SECURE,
    requireTLS: SMTP_REQUIRE_TLS && !SMTP_SECURE,
    ...(SMTP_USER !== null && SMTP_PASSWORD !== null ? { auth: { user: SMTP_USER, pass: SMTP_PASSWORD } } : {}),
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SOCKET_MS_MAX,
    // A message must not be able to name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^@>\s]+)>?$/.exec(MAIL_FROM ?? '')?.[1] ?? 'localhost'
  return {
    async send({ to, subject, text, messageId }) {
      try {
        await transport.sendMail({
          from: MAIL_FROM ?? '',
          // As an object: a text would be parsed, and could become several recipients.
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${messageId}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        const { responseCode } = error as { responseCode?: number }
        // 5xx about this message. A refused sign-in is different: an operator can correct it, and the message is then
        // sent.
        if (responseCode !== undefined && responseCode >= 500 && (error as { code?: string }).code !== 'EAUTH') {
          throw new PermanentFailure(`the mail server refused the message with ${responseCode}`)
        }
        throw error
      }
    },
    close: () => transport.close(),
  }
}

/** For development: the developer needs the link, so the text bypasses the log and its redaction. */
function printer(print: (text: string) => void): MailTransport {
  return {
    async send({ to, subject, text }) {
      print(`--- e-mail, not sent: EMAIL_PROVIDER is none\nTo: ${to}\nSubject: ${subject}\n\n${text}\n---\n`)
    },
    close: () => undefined,
  }
}
