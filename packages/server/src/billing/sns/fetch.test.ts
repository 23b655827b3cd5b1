/** What is fetched because a notice names it: one answer of at most 64 KiB within 5 seconds, no redirect, and nothing that is not a certificate. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createEgress, type Egress } from '../../runtime/egress/egress.js'
import type { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { newSigningKey } from '../fake/marketplace/certificate.js'
import { signEnvelope } from '../fake/marketplace/notice.js'
import { readEnvelope } from './envelope.js'
import { confirmSubscription, verifyEnvelope } from './verify.js'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const TOPIC = 'arn:aws:sns:us-east-1:123456789012:plumbline'
const KIB_64 = 65_536
const KEY = newSigningKey('sns.amazonaws.com', { fromMs: NOW - 1000, untilMs: NOW + 1000 })

let server: Server
let origin: string
const asked: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/moved.pem') return response.writeHead(302, { location: '/good.pem' }).end()
    if (request.url === '/none.pem') return response.writeHead(404).end()
    if (request.url === '/text.pem') return response.end('<html>no certificate</html>')
    const pad = { '/full.pem': KIB_64, '/large.pem': KIB_64 + 1 }[request.url ?? ''] ?? 0
    return response.end(KEY.certificatePem.padEnd(pad, '\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => void asked.splice(0))

const runtimeWith = (egress: Egress) => ({ egress }) as Runtime
const trusted = () => ({ topicArns: [TOPIC], localOrigin: origin })

/** @returns null for a notice that is taken, else code, status and message. */
async function judged(path: string, runtime = runtimeWith(createEgress())): Promise<string | null> {
  const by = { key: KEY.key, certificateUrl: `${origin}${path}`, version: '2' } as const
  const envelope = readEnvelope(JSON.stringify(signEnvelope(by, TOPIC, NOW, { Type: 'Notification', Message: 'm' })))
  try {
    await verifyEnvelope(runtime, envelope, trusted(), NOW)
    return null
  } catch (error) {
    const { status, code, message } = error as Refusal
    return `${status} ${code} ${message}`
  }
}

it('takes a certificate of 64 KiB, fetches it once, and none that is larger', async () => {
  const runtime = runtimeWith(createEgress())
  expect(await judged('/full.pem', runtime)).toBeNull()
  expect(await judged('/full.pem', runtime)).toBeNull()
  expect(asked).toEqual(['/full.pem'])
  expect(await judged('/large.pem')).toMatch(/^503 PROVIDER_UNAVAILABLE .*the answer is too large/)
})

it('follows no redirect, and keeps nothing that is not a certificate', async () => {
  expect(await judged('/moved.pem')).toMatch(/^40[03] INVALID_SIGNATURE SigningCertURL is answered 302/)
  expect(await judged('/none.pem')).toMatch(/SigningCertURL is answered 404/)
  expect(await judged('/text.pem')).toMatch(/INVALID_SIGNATURE SigningCertURL leads to no certificate/)
  expect(asked).toEqual(['/moved.pem', '/none.pem', '/text.pem'])
})

it('waits five seconds for a certificate and for a confirmation, and says that none came', async () => {
  const waited: number[] = []
  const never: Egress = {
    ...createEgress(),
    get: async (_target, { timeoutMs }) => {
      waited.push(timeoutMs)
      return { kind: 'failed', reason: `no answer within ${timeoutMs} ms` }
    },
  }
  expect(await judged('/good.pem', runtimeWith(never))).toMatch(/^503 PROVIDER_UNAVAILABLE .*no answer within 5000 ms/)
  const confirming = confirmSubscription(runtimeWith(never), `${origin}/?Token=t`, trusted())
  await expect(confirming).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE', status: 503 })
  expect(waited).toEqual([5000, 5000])
})

it('confirms by an address as long as the longest name of a topic makes it, and by no redirect', async () => {
  const runtime = runtimeWith(createEgress())
  const long = `/?Action=ConfirmSubscription&TopicArn=${TOPIC}${'x'.repeat(247)}&Token=${'a'.repeat(256)}`
  await confirmSubscription(runtime, `${origin}${long}`, trusted())
  expect(asked).toEqual([long])
  const moved = confirmSubscription(runtime, `${origin}/moved.pem`, trusted())
  await expect(moved).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  expect(asked).toHaveLength(2)
})
