/** Notices are taken from our topic, young, and signed by the service of topics: held against the package that others use. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { EventEmitter } from 'node:events'
import https from 'node:https'
import fc from 'fast-check'
import MessageValidator from 'sns-validator'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Refusal } from '../../runtime/errors.js'
import { newSigningKey, type SigningKey } from '../fake/marketplace/certificate.js'
import { type Envelope as Sent, signEnvelope, type Unsigned } from '../fake/marketplace/notice.js'
import { checkEnvelope, readEnvelope } from './envelope.js'
import { checkSignature } from './verify.js'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const DAY_MS = 86_400_000
const TOPIC = 'arn:aws:sns:us-east-1:123456789012:plumbline'
const CERTIFICATE = 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem'
const KEY = newSigningKey('sns.amazonaws.com', { fromMs: NOW - DAY_MS, untilMs: NOW + DAY_MS })
const OTHER = newSigningKey('sns.amazonaws.com', { fromMs: NOW - DAY_MS, untilMs: NOW + DAY_MS })
const TRUSTED = { topicArns: [TOPIC], localOrigin: null }

const signed = (unsigned: Unsigned, version: '1' | '2' = '2', nowMs = NOW): Sent =>
  signEnvelope({ key: KEY.key, certificateUrl: CERTIFICATE, version }, TOPIC, nowMs, unsigned)
const notice = (more: object = {}): object => ({ ...signed({ Type: 'Notification', Message: 'text' }), ...more })

/** The code and the field of the refusal; null for a notice that is taken. */
function judged(sent: object, key: SigningKey = KEY, nowMs = NOW): string | null {
  try {
    const envelope = readEnvelope(JSON.stringify(sent))
    checkEnvelope(envelope, TRUSTED, nowMs)
    checkSignature(envelope, new X509Certificate(key.certificatePem), nowMs)
    return null
  } catch (error) {
    const { code, details, issues } = error as Refusal & { issues?: { path: string }[] }
    if (code === undefined) throw error
    return `${code} ${String((details as { field?: string } | undefined)?.field ?? issues?.[0]?.path ?? '')}`.trim()
  }
}

/** The published package, with our certificate in the place of the network. */
function published(sent: object): Promise<boolean> {
  const validator = new MessageValidator()
  return new Promise((resolve) => validator.validate(JSON.stringify(sent), (error) => resolve(error === null)))
}

beforeAll(() => {
  vi.spyOn(https, 'get').mockImplementation(((_url: string, answered: (answer: object) => void) => {
    const answer = Object.assign(new EventEmitter(), { statusCode: 200 })
    answered(answer)
    answer.emit('data', KEY.certificatePem)
    answer.emit('end')
    return new EventEmitter()
  }) as never)
})
afterAll(() => void vi.restoreAllMocks())

describe('a notice of a topic', () => {
  it.each(['1', '2'] as const)('is taken as it was signed, in version %s', (version) => {
    expect(judged(signed({ Type: 'Notification', Message: 'ä\n"text"', Subject: 'About' }, version))).toBeNull()
    const confirming = { Message: 'confirm', Token: 't', SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Token=t' }
    expect(judged(signed({ Type: 'SubscriptionConfirmation', ...confirming }, version))).toBeNull()
    expect(judged(signed({ Type: 'UnsubscribeConfirmation', ...confirming }, version))).toBeNull()
  })

  it.each([
    ['another text', { Message: 'other' }, 'INVALID_SIGNATURE Signature'],
    ['another subject', { Subject: 'added' }, 'INVALID_SIGNATURE Signature'],
    ['another id', { MessageId: 'x' }, 'INVALID_SIGNATURE Signature'],
    ['no signature', { Signature: '' }, 'INVALID_SIGNATURE Signature'],
    ['another topic', { TopicArn: `${TOPIC}x` }, 'INVALID_SIGNATURE TopicArn'],
    ['another version', { SignatureVersion: '3' }, 'INVALID_SIGNATURE SignatureVersion'],
    [
      'another host',
      { SigningCertURL: 'https://sns.us-east-1.amazonaws.com.evil.example/a.pem' },
      'INVALID_SIGNATURE SigningCertURL',
    ],
    [
      'another region',
      { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/a.pem' },
      'INVALID_SIGNATURE SigningCertURL',
    ],
    ['plain http', { SigningCertURL: 'http://sns.us-east-1.amazonaws.com/a.pem' }, 'INVALID_SIGNATURE SigningCertURL'],
    [
      'a port',
      { SigningCertURL: 'https://sns.us-east-1.amazonaws.com:8443/a.pem' },
      'INVALID_SIGNATURE SigningCertURL',
    ],
    [
      'a name in it',
      { SigningCertURL: 'https://a@sns.us-east-1.amazonaws.com/a.pem' },
      'INVALID_SIGNATURE SigningCertURL',
    ],
    [
      'another ending',
      { SigningCertURL: 'https://sns.us-east-1.amazonaws.com/a.txt' },
      'INVALID_SIGNATURE SigningCertURL',
    ],
    ['no address', { SigningCertURL: 'pem' }, 'INVALID_SIGNATURE SigningCertURL'],
    ['no id', { MessageId: undefined }, 'MISSING_REQUIRED_FIELD MessageId'],
    ['no type', { Type: undefined }, 'MISSING_REQUIRED_FIELD Type'],
    ['another type', { Type: 'Other' }, 'VALIDATION_ERROR'],
    ['another instant', { Timestamp: 'yesterday' }, 'VALIDATION_ERROR'],
    ['a number for a text', { Subject: 5 as never }, 'VALIDATION_ERROR'],
  ])('with %s is refused', (_what, more, refusal) => {
    expect(judged(notice(more))).toContain(refusal)
  })

  it('is refused when it is old or from the future, and taken to the second', () => {
    const at = (ms: number) => judged(signed({ Type: 'Notification', Message: 'text' }, '2', NOW + ms))
    expect([at(-7 * DAY_MS), at(300_000)]).toEqual([null, null])
    expect([at(-7 * DAY_MS - 1), at(300_001)]).toEqual(Array(2).fill('INVALID_SIGNATURE Timestamp'))
  })

  it('is refused under a certificate of another key, one that is over, and one of another kind', () => {
    expect(judged(notice(), OTHER)).toBe('INVALID_SIGNATURE Signature')
    expect(judged(signed({ Type: 'Notification', Message: 'x' }, '2', NOW + 2 * DAY_MS), KEY, NOW + 2 * DAY_MS)).toBe(
      'INVALID_SIGNATURE SigningCertURL',
    )
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const certificate = {
      validFrom: new Date(NOW - 1).toISOString(),
      validTo: new Date(NOW + 1).toISOString(),
      publicKey,
    }
    const envelope = readEnvelope(JSON.stringify(notice()))
    expect(() => checkSignature(envelope, certificate as never, NOW)).toThrow(/RSA/)
  })

  it('agrees with sns-validator, changed or not', async () => {
    const text = fc.string({ maxLength: 40 })
    const sent = fc.record({
      Message: text,
      Subject: fc.option(
        text.filter((each) => each !== ''),
        { nil: undefined },
      ),
      version: fc.constantFrom('1' as const, '2' as const),
      change: fc.constantFrom('none', 'Message', 'Subject', 'Timestamp', 'TopicArn', 'Signature', 'SigningCertURL'),
    })
    await fc.assert(
      fc.asyncProperty(sent, async ({ Message, Subject, version, change }) => {
        const good = signed(
          { Type: 'Notification', Message: `m${Message}`, ...(Subject === undefined ? {} : { Subject }) },
          version,
        )
        const was = (good as unknown as Record<string, string | undefined>)[change] ?? ''
        const altered =
          change === 'none' ? good : { ...good, [change]: was.replace(/^.?/, (first) => (first === 'z' ? 'y' : 'z')) }
        // What the package leaves to its user is the topic and the age: both change the signed text here.
        expect(judged(altered) === null).toBe(await published(altered))
      }),
      { numRuns: 60 },
    )
  })

  it('is held to more than sns-validator holds it: age, topic, and an end of a subscription that it refuses', async () => {
    const old = signed({ Type: 'Notification', Message: 'text' }, '2', NOW - 3650 * DAY_MS)
    expect([await published(old), judged(old)]).toEqual([true, 'INVALID_SIGNATURE Timestamp'])
    const end = signed({
      Type: 'UnsubscribeConfirmation',
      Message: 'end',
      Token: 't',
      SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Token=t',
    })
    expect([await published(end), judged(end)]).toEqual([false, null])
  })
})
