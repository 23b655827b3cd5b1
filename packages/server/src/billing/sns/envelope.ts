/**
 * Parses a notice of a topic: it is read completely or refused, and is checked before anything is fetched from the
 * network.
 */
import { invalidField, Refusal } from '../../runtime/errors.js'

export const NOTICE_TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const
export type NoticeType = (typeof NOTICE_TYPES)[number]

export interface Envelope {
  readonly type: NoticeType
  readonly messageId: string
  readonly topicArn: string
  readonly message: string
  readonly sentAtMs: number
  readonly version: '1' | '2'
  readonly signature: Buffer
  readonly certificateUrl: string
  /** Only for confirmations of a subscription or of its end. */
  readonly subscribeUrl: string | null
  /** The text that the signature covers. */
  readonly signed: string
}

const REQUIRED = [
  'Type',
  'MessageId',
  'TopicArn',
  'Message',
  'Timestamp',
  'SignatureVersion',
  'Signature',
  'SigningCertURL',
] as const
const SIGNED: Readonly<Record<NoticeType, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}
const MESSAGE_ID = /^[A-Za-z0-9-]{1,100}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/

/** @throws Refusal 400 that names the field */
export function readEnvelope(text: string): Envelope {
  const fields = fieldsOf(text)
  for (const name of REQUIRED) {
    if (fields.get(name) === undefined) {
      throw new Refusal('MISSING_REQUIRED_FIELD', `${name} is absent: post what the topic sends, as it is`, {
        details: { field: name },
      })
    }
  }
  const given = (name: string): string => fields.get(name) ?? ''
  const type = NOTICE_TYPES.find((each) => each === given('Type'))
  if (type === undefined) throw invalidField('/body/Type', `must be one of ${NOTICE_TYPES.join(', ')}`, 'type')
  if (type !== 'Notification' && !fields.has('SubscribeURL')) {
    throw new Refusal('MISSING_REQUIRED_FIELD', 'SubscribeURL is absent', { details: { field: 'SubscribeURL' } })
  }
  if (!MESSAGE_ID.test(given('MessageId'))) throw invalidField('/body/MessageId', 'must be an id', 'message_id')
  const sentAtMs = INSTANT.test(given('Timestamp')) ? Date.parse(given('Timestamp')) : Number.NaN
  if (Number.isNaN(sentAtMs)) throw invalidField('/body/Timestamp', 'must be an instant in UTC', 'timestamp')
  const version = given('SignatureVersion')
  // guard: a-notice-is-signed-in-a-known-way
  if (version !== '1' && version !== '2') throw unsigned('SignatureVersion', 'must be 1 or 2')
  return {
    type,
    messageId: given('MessageId'),
    topicArn: given('TopicArn'),
    message: given('Message'),
    sentAtMs,
    version,
    signature: Buffer.from(given('Signature'), 'base64'),
    certificateUrl: given('SigningCertURL'),
    subscribeUrl: fields.get('SubscribeURL') ?? null,
    signed: SIGNED[type].map((name) => (fields.has(name) ? `${name}\n${given(name)}\n` : '')).join(''),
  }
}

function fieldsOf(text: string): ReadonlyMap<string, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidField('/body', 'is not JSON', 'json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('/body', 'must be an object', 'json')
  }
  const fields = new Map<string, string>()
  for (const [name, each] of Object.entries(value)) {
    // Attributes of the message are not signed, and nothing reads them.
    if (typeof each === 'string') fields.set(name, each)
    else if (SIGNED.SubscriptionConfirmation.includes(name) || name === 'Subject') {
      if (each !== null) throw invalidField(`/body/${name}`, 'must be a text', 'type')
    }
  }
  return fields
}

/** The refusal of a notice that cannot be trusted, with the field that is the reason. */
export const unsigned = (field: string, why: string): Refusal =>
  new Refusal('INVALID_SIGNATURE', `${field} ${why}`, { details: { field } })

export interface Trusted {
  readonly topicArns: readonly string[]
  /** The origin of a marketplace on this machine, which signs its own notices; otherwise null. */
  readonly localOrigin: string | null
}

const AGE_MAX_MS = 7 * 86_400_000
const AHEAD_MAX_MS = 300_000

/**
 * Checks what can be checked without the certificate.
 *
 * @throws Refusal 400 `INVALID_SIGNATURE`
 */
export function checkEnvelope(envelope: Envelope, trusted: Trusted, nowMs: number): void {
  // guard: a-notice-is-of-our-topic
  if (!trusted.topicArns.includes(envelope.topicArn)) {
    throw unsigned('TopicArn', 'is not in MARKETPLACE_SNS_TOPIC_ARN')
  }
  // guard: an-old-notice-is-not-taken
  if (envelope.sentAtMs < nowMs - AGE_MAX_MS) throw unsigned('Timestamp', 'is more than 7 days ago')
  if (envelope.sentAtMs > nowMs + AHEAD_MAX_MS) {
    throw unsigned('Timestamp', 'is more than 5 minutes ahead: compare the clocks')
  }
  checkAddress('SigningCertURL', envelope.certificateUrl, envelope, trusted)
  if (!new URL(envelope.certificateUrl).pathname.endsWith('.pem')) {
    throw unsigned('SigningCertURL', 'must end in .pem')
  }
  if (envelope.type !== 'Notification' && envelope.subscribeUrl !== null) {
    checkAddress('SubscribeURL', envelope.subscribeUrl, envelope, trusted)
  }
}

/** Checks that an address is one of the topic's own service and region. */
function checkAddress(field: string, text: string, { topicArn }: Envelope, { localOrigin }: Trusted): void {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && localOrigin !== null && url.origin === localOrigin) return
  const host = `sns.${topicArn.split(':')[3] ?? ''}.amazonaws.com`
  // guard: a-certificate-comes-from-the-service-of-topics
  if (url?.origin !== `https://${host}` || url.username !== '' || url.password !== '') {
    throw unsigned(field, `must be an address of https://${host}`)
  }
}
