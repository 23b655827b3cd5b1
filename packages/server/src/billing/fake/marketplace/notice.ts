/** Notices in the old and the new format, signed like those of the topic service. */
import { createSign, type KeyObject, randomUUID } from 'node:crypto'
import type { Subscriber } from './state.js'

export interface Envelope {
  readonly Type: string
  readonly MessageId: string
  readonly TopicArn: string
  readonly Message: string
  readonly Timestamp: string
  readonly SignatureVersion: string
  readonly SigningCertURL: string
  readonly Signature: string
  readonly Subject?: string
  readonly SubscribeURL?: string
  readonly Token?: string
  readonly UnsubscribeURL?: string
}

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

export interface Signing {
  readonly key: KeyObject
  readonly certificateUrl: string
  readonly version: '1' | '2'
}

export type Unsigned = Partial<Envelope> & { readonly Type: keyof typeof SIGNED; readonly Message: string }

export function signEnvelope(
  { key, certificateUrl, version }: Signing,
  topicArn: string,
  nowMs: number,
  unsigned: Unsigned,
): Envelope {
  const envelope: Omit<Envelope, 'Signature'> = {
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Timestamp: new Date(nowMs).toISOString(),
    SignatureVersion: version,
    SigningCertURL: certificateUrl,
    ...unsigned,
  }
  const lines = SIGNED[unsigned.Type].flatMap((name) => {
    const value = (envelope as Partial<Envelope>)[name]
    return value === undefined ? [] : [`${name}\n${value}\n`]
  })
  const signer = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(lines.join(''), 'utf8')
  return { ...envelope, Signature: signer.sign(key, 'base64') }
}

export const ACTIONS = [
  'subscribe-success',
  'subscribe-fail',
  'unsubscribe-pending',
  'unsubscribe-success',
  'entitlement-updated',
] as const
export type Action = (typeof ACTIONS)[number]

const DETAIL_TYPES: Readonly<Record<Action, string>> = {
  'subscribe-success': 'Purchase Agreement Created - Manufacturer',
  'subscribe-fail': 'Purchase Agreement Ended - Manufacturer',
  'unsubscribe-pending': 'Purchase Agreement Amended - Manufacturer',
  'unsubscribe-success': 'Purchase Agreement Ended - Manufacturer',
  'entitlement-updated': 'License Updated - Manufacturer',
}

/** The text of a notice: an action of an older listing, or an event that an operator's rule sends to the topic. */
export function noticeText(subscriber: Subscriber, productCode: string, action: Action, nowMs: number): string {
  if (subscriber.kind === 'customer') {
    return JSON.stringify({
      action,
      'customer-identifier': subscriber.customerIdentifier,
      'product-code': productCode,
      'offer-identifier': 'offer-local',
    })
  }
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': DETAIL_TYPES[action],
    source: 'aws.agreement-marketplace',
    time: new Date(nowMs).toISOString(),
    region: 'us-east-1',
    detail: {
      requestId: randomUUID(),
      catalog: 'AWSMarketplace',
      agreement: { id: `agmt-${subscriber.id}`, status: action === 'unsubscribe-success' ? 'TERMINATED' : 'ACTIVE' },
      acceptor: { accountId: subscriber.account },
      product: { code: productCode },
      license: { arn: subscriber.licenseArn },
    },
  })
}
