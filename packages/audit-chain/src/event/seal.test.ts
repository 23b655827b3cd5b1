import { describe, expect, it } from 'vitest'
import { crypto, Random } from '../../test/support/fixture.js'
import { scrub } from '../scrub/scrub.js'
import { isRecord, mismatchOf } from '../verify/row.js'
import { chainKey, NO_ORG_CHAIN } from './chain-key.js'
import { erasureDetails, parseErasure } from './erase.js'
import { RECORD_FIELDS } from './record.js'
import { type AuditEvent, sealEvent } from './seal.js'

const random = new Random(1)
const event: AuditEvent = { id: 'evt_1', action: 'org.update', createdAt: '2026-01-31T08:00:00.000Z' }
const seal = (
  changes: Partial<AuditEvent> = {},
  previous: { seq: number; hash: string; createdAt: string } | null = null,
) => {
  const sealed = { ...event, ...changes }
  const detailsSalt = sealed.details == null ? null : random.bytes(16)
  return sealEvent(crypto, { event: sealed, previous, identitySalt: random.bytes(16), detailsSalt }).record
}

describe('the chain of an event', () => {
  it.each([
    [{ orgId: 'A', affectedOrgId: ' B ' }, 'b'],
    [{ orgId: ' Acme ' }, 'acme'],
    [{ orgId: 'acme', affectedOrgId: '  ' }, 'acme'],
    [{ orgId: null }, NO_ORG_CHAIN],
    [{}, NO_ORG_CHAIN],
  ])('%j', (ids, chain) => {
    expect(chainKey(ids)).toBe(chain)
    expect(seal(ids).chain).toBe(chain)
  })
})

describe('sealing', () => {
  it.each(['"', '\\', '\n', '\u0001', ''])('repairs a lone surrogate also beside %j', (beside) => {
    for (const name of ['targetId', 'actorId', 'groupId', 'traceId', 'idempotencyKey', 'actorEmail'] as const) {
      const record = seal({ [name]: `a${beside}\ud800` })
      expect(record[name]).toBe(`a${beside}\ufffd`)
      const sent = JSON.parse(new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(record))))
      expect(mismatchOf(crypto, sent)).toBeNull()
      expect(sent).toEqual(record)
    }
  })

  it('makes a record of exactly the listed fields, whose hashes fit', () => {
    const record = seal({ details: scrub(crypto, { name: 'x' }).details, actorEmail: 'a@b' })
    expect(Object.keys(record).sort()).toEqual(Object.keys(RECORD_FIELDS).sort())
    expect(isRecord(record)).toBe(true)
    expect(mismatchOf(crypto, record)).toBeNull()
  })

  it('links to the previous record and never goes back in time', () => {
    const first = seal()
    const second = seal({ createdAt: '2020-01-01T00:00:00Z' }, first)
    expect(second).toMatchObject({ seq: 2, prevHash: first.hash, createdAt: first.createdAt })
  })

  it('brings every instant to UTC with milliseconds, whatever the zone of the machine', () => {
    expect(seal({ createdAt: '2026-01-31T09:00:00+01:00', occurredAt: '2026-01-31T07:59:59Z' })).toMatchObject({
      createdAt: '2026-01-31T08:00:00.000Z',
      occurredAt: '2026-01-31T07:59:59.000Z',
    })
    expect(seal({ occurredAt: 'yesterday' }).occurredAt).toBeNull()
    for (const createdAt of ['yesterday', '2026-01-31', '2026-01-31T08:00:00', '2026-13-01T00:00:00Z']) {
      expect(() => seal({ createdAt })).toThrow(/createdAt/)
    }
  })

  it('fills what the caller leaves out', () => {
    expect(seal({ orgId: 'o' })).toMatchObject({
      actorId: 'anonymous',
      affectedOrgId: 'o',
      outcome: 'success',
      details: null,
    })
    expect(seal({ action: 'user.login.failed' }).outcome).toBe('failure')
    expect(seal({ action: 'authz.denied' }).outcome).toBe('failure')
  })

  it('scrubs the fields that name the outside world, and the user agent’s control characters', () => {
    const record = seal({
      targetId: 'arn:123456789012',
      requestId: '1234-5678-9012',
      userAgent: `a\u0007b${'x'.repeat(600)}`,
    })
    expect(record).toMatchObject({ targetId: 'arn:[REDACTED]', requestId: '[REDACTED]' })
    expect(record.userAgent).toBe(`a b${'x'.repeat(509)}`)
    expect(seal({ orgId: '123456789012' }).orgId).toBe('123456789012')
  })

  it('repairs lone surrogates before it hashes', () => {
    const record = seal({ actorId: 'a\ud800', actorEmail: 'b\udfff' })
    expect(record).toMatchObject({ actorId: 'a\ufffd', actorEmail: 'b\ufffd' })
    expect(mismatchOf(crypto, record)).toBeNull()
  })

  it('refuses salts of another length, and details that were not scrubbed', () => {
    const salt = random.bytes(16)
    expect(() => sealEvent(crypto, { event, previous: null, identitySalt: salt.slice(1), detailsSalt: null })).toThrow(
      /identitySalt/,
    )
    const details = scrub(crypto, { a: 1 }).details
    expect(() =>
      sealEvent(crypto, { event: { ...event, details }, previous: null, identitySalt: salt, detailsSalt: null }),
    ).toThrow(/detailsSalt/)
    const forged = { text: '{}', value: {} } as never
    expect(() =>
      sealEvent(crypto, {
        event: { ...event, details: forged },
        previous: null,
        identitySalt: salt,
        detailsSalt: salt,
      }),
    ).toThrow(/scrub/)
  })

  it('commits with the salt: equal content, different commitments', () => {
    const [a, b] = [seal({ actorEmail: 'a@b' }), seal({ actorEmail: 'a@b' })]
    expect(a.identityHash).not.toBe(b.identityHash)
  })
})

describe('every field of a record', () => {
  const record = seal({ details: scrub(crypto, { name: 'x' }).details })
  it.each(Object.keys(RECORD_FIELDS))('%s is required, and of its type', (field) => {
    const { [field as keyof typeof record]: _gone, ...rest } = record
    expect(isRecord(rest)).toBe(false)
    expect(isRecord({ ...record, [field]: {} })).toBe(false)
    expect(isRecord({ ...record, [field]: undefined })).toBe(false)
  })
})

describe('erasure details', () => {
  it('merge neighbours and survive scrubbing and parsing, however many', () => {
    expect(erasureDetails('identity', [3, 1, 2, 7, 7])).toEqual([
      {
        part: 'identity',
        seqs: [
          [1, 3],
          [7, 7],
        ],
      },
    ])
    const many = erasureDetails(
      'details',
      Array.from({ length: 1200 }, (_, index) => index * 2 + 1),
    )
    expect(many).toHaveLength(3)
    for (const details of many) expect(parseErasure(scrub(crypto, details).details?.text ?? '')).toEqual(details)
  })

  it.each([
    '',
    'null',
    '{"part":"x","seqs":[]}',
    '{"part":"identity","seqs":[[2,1]]}',
    '{"part":"identity","seqs":["a"]}',
  ])('refuse %s', (text) => {
    expect(parseErasure(text)).toBeNull()
  })
})
