/** The limit on password hashing, and the stored form of a password. */
import { describe, expect, it } from 'vitest'
import { hashPassword, isOutdated, verifyPassword } from './password-hash.js'
import { createPasswords } from './passwords.js'

const CHEAP = { log2N: 4, r: 8, p: 1 }

describe('the gate before hashing', () => {
  it('hashes two at a time, lets 32 wait and refuses the rest with Retry-After', async () => {
    const passwords = createPasswords({ cost: CHEAP, atOnce: 2, waitingMax: 32 })
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => passwords.hash('Correct-Horse-7')))
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(6)
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } })
    }
    expect(passwords.counts).toEqual({ hashed: 34, refused: 6 })
    // All slots are free again.
    const after = await Promise.all(Array.from({ length: 34 }, () => passwords.hash('Correct-Horse-7')))
    expect(new Set(after).size).toBe(34)
  })

  it('lets networks take turns, so that many requests of some do not shut out one of another', async () => {
    const passwords = createPasswords({ cost: CHEAP, atOnce: 2, waitingMax: 16 })
    const done: string[] = []
    const from = (ip: string, isKnown = false) =>
      passwords.hash('Correct-Horse-7', { ip, isKnown }).then(
        () => void done.push(ip),
        () => void done.push(`${ip} refused`),
      )
    const flood = Array.from({ length: 60 }, (_, n) => from(`203.0.${n % 3}.${n}`))
    // Addresses of one IPv6 site count as one network, as do those of a /24.
    const site = Array.from({ length: 20 }, (_, n) => from(`2001:db8:1:${n}::1`))
    const guest = from('192.0.2.1')
    await Promise.all([...flood, ...site, guest])
    expect(done).toContain('192.0.2.1')
    expect(done.filter((each) => !each.includes('refused')).indexOf('192.0.2.1')).toBeLessThan(9)
    expect(done.filter((each) => each.startsWith('2001') && !each.includes('refused')).length).toBeGreaterThan(0)
  })

  it('keeps room for somebody known, however many networks wait', async () => {
    const passwords = createPasswords({ cost: CHEAP, atOnce: 2, waitingMax: 16 })
    const strangers = Array.from({ length: 200 }, (_, n) => passwords.hash('x', { ip: `10.0.${n}.1` }))
    const ended = Promise.allSettled(strangers)
    const order: string[] = []
    void strangers[5]?.then(() => order.push('stranger'))
    await passwords.hash('x', { ip: '192.0.2.1', isKnown: true }).then(() => order.push('known'))
    expect(order.length).toBeLessThanOrEqual(2)
    expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(183)
  })

  it("computes a hash for nobody's account, and finds it wrong", async () => {
    const passwords = createPasswords({ cost: CHEAP, atOnce: 2, waitingMax: 32 })
    expect(await passwords.verify('Correct-Horse-7', null)).toBe(false)
    expect(passwords.counts.hashed).toBe(1)
  })

  it('frees its place when a hash fails', async () => {
    const passwords = createPasswords({ cost: { log2N: 4, r: 8, p: 0 }, atOnce: 1, waitingMax: 0 })
    for (let n = 0; n < 3; n++)
      await expect(passwords.hash('x')).rejects.not.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('a stored password', () => {
  it('is a PHC string with its own salt, verified by the parameters in it', async () => {
    const stored = await hashPassword('Correct-Horse-7', CHEAP)
    expect(stored).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await hashPassword('Correct-Horse-7', CHEAP)).not.toBe(stored)
    expect(await verifyPassword('Correct-Horse-7', stored)).toBe(true)
    expect(await verifyPassword('Correct-Horse-8', stored)).toBe(false)
    expect(isOutdated(stored, CHEAP)).toBe(false)
    for (const other of [
      { ...CHEAP, log2N: 5 },
      { ...CHEAP, r: 4 },
      { ...CHEAP, p: 3 },
    ]) {
      expect(isOutdated(stored, other)).toBe(true)
    }
  })

  it('is scrypt: a hash that was computed elsewhere is right', async () => {
    // Python: hashlib.scrypt(b'pleaseletmein', salt=b'SodiumChloride00', n=16384, r=8, p=1, dklen=32)
    const stored = '$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGUwMA$McnDJoBHzklovUINAvCbd7SOGFmmJZoQDjX3cw2lCN8'
    expect(await verifyPassword('pleaseletmein', stored)).toBe(true)
    expect(await verifyPassword('pleaseletmeout', stored)).toBe(false)
  })

  it('may be a hash of bcrypt, which is to be replaced', async () => {
    // OpenBSD's own vector, and its password in the two other spellings of the prefix.
    const tail = '$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
    for (const prefix of ['$2a', '$2b', '$2y']) {
      const stored = `${prefix}${tail}`
      expect(await verifyPassword('U*U', stored)).toBe(true)
      expect(await verifyPassword('U*V', stored)).toBe(false)
      expect(isOutdated(stored, CHEAP)).toBe(true)
    }
    // A truncated hash, a hash of another function, and one that would take minutes are not accepted.
    for (const other of [`$2b${tail.slice(0, -1)}`, `$2x${tail}`, `$2b${tail.replace('$05', '$31')}`]) {
      expect(await verifyPassword('U*U', other)).toBe(false)
    }
  })

  it('is the same for two ways to type the same letters', async () => {
    const stored = await hashPassword('Pa\u00e9ssw0rd-Z', CHEAP)
    expect(await verifyPassword('Pae\u0301ssw0rd-Z', stored)).toBe(true)
  })

  it('is wrong when the text is none of ours, or asks for too much memory', async () => {
    const stored = await hashPassword('Correct-Horse-7', CHEAP)
    for (const text of [
      '',
      'Correct-Horse-7',
      '$2b$12$abc',
      stored.replace('ln=4', 'ln=31'),
      stored.replace('ln=4', 'ln=0'),
    ]) {
      expect(await verifyPassword('Correct-Horse-7', text)).toBe(false)
    }
  })
})
