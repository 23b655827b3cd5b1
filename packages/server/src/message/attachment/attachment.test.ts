/** Attachments over HTTP: what is accepted, what is refused, and who can download it and how. */
import { deflateRawSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessageApp, messageApp, type Upload } from '../../../test/support/messages.js'
import { enrol, runJobs, stepUp, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { CapacityPort } from '../../runtime/records/capacity.js'
import type { Store } from '../../runtime/store/db.js'
import { messageRegistration } from '../registration.js'
import { sweepMessages } from '../sweep/sweep.js'

let store: Store
let app: MessageApp
let ada: SignedIn
let abe: SignedIn
let bob: SignedIn
let root: SignedIn
let isFull = false
let taken: unknown[] = []
const capacity = {
  checkHeadroom: async () => {
    if (isFull) throw new Refusal('QUOTA_EXCEEDED', 'full')
  },
  take: async (_tx: unknown, ...what: unknown[]) => {
    if (isFull) throw new Refusal('QUOTA_EXCEEDED', 'full')
    taken.push(what)
  },
} as unknown as CapacityPort

beforeAll(async () => {
  store = await sqliteStore()
  app = await messageApp(store, { capacity, settings: { MESSAGE_ATTACHMENT_MAX_MB: '1' } })
  ada = await signUp(app, 'ada')
  abe = await enrol(app, await signUp(app, 'abe'), ada.orgId)
  bob = await signUp(app, 'bob')
  root = await superAdmin(app, 'root')
})
afterAll(async () => {
  expect(app.errors.map(String)).toEqual([])
  await app.identity.settle()
  await store.close()
  app.removeFiles()
})

const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif', width = 800, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 10, b: 10 } } })
    .withExif({ IFD0: { Copyright: 'canary-of-the-camera' } })
    .toFormat(format)
    .toBuffer()

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

/** A zip file with one stored entry. */
function zip(name: string, content: string): Buffer {
  const data = deflateRawSync(Buffer.from(content))
  const local = Buffer.alloc(30)
  local.write('PK\x03\x04', 0, 'latin1')
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(data.length, 18)
  local.writeUInt32LE(content.length, 22)
  local.writeUInt16LE(name.length, 26)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  return Buffer.concat([local, Buffer.from(name), data, end])
}

function tar(name: string): Buffer {
  const block = Buffer.alloc(1536)
  block.write(name, 0)
  block.write('0000644\0', 100)
  block.write('00000000000\0', 124)
  block.write('        ', 148)
  block.write('0ustar\x0000', 156)
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const get = (as: SignedIn, path: string, headers: Record<string, string> = {}) =>
  app.http.request(`/api${path}`, { headers: { authorization: `Bearer ${as.accessToken}`, ...headers } })
const uploaded = async (as: SignedIn, file: Upload) => {
  const answer = await app.upload(as, file)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data.attachment
}
const text = (content: string, name = 'note.txt'): Upload => ({ name, type: 'text/plain', content })

describe('an upload', () => {
  it.each([
    ['png', async () => ({ name: 'a.png', type: 'image/png', content: await picture('png') })],
    ['jpeg', async () => ({ name: 'a.jpg', type: 'image/jpeg', content: await picture('jpeg') })],
    ['gif', async () => ({ name: 'a.gif', type: 'image/gif', content: await picture('gif', 10, 10) })],
    ['webp', async () => ({ name: 'a.webp', type: 'image/webp', content: await picture('webp') })],
    ['pdf', async () => ({ name: 'a.pdf', type: 'application/pdf', content: PDF })],
    ['text', async () => text('plain, with an <b>angle</b> inside and ünïcode')],
    ['empty text', async () => text('')],
    ['csv', async () => ({ name: 'a.csv', type: 'text/csv', content: 'a,b\n1,2\n' })],
    ['json', async () => ({ name: 'a.json', type: 'application/json', content: '{"a":1}' })],
    ['yaml', async () => ({ name: 'a.yml', type: 'text/x-yaml', content: 'a: 1\n' })],
    ['zip', async () => ({ name: 'a.zip', type: 'application/zip', content: zip('a.txt', 'a') })],
    ['gzip', async () => ({ name: 'a.gz', type: 'application/gzip', content: gzipSync('a') })],
    ['tar', async () => ({ name: 'a.tar', type: 'application/x-tar', content: tar('a.txt') })],
    ['octets by their ending', async () => ({ name: 'a.PDF', type: 'application/octet-stream', content: PDF })],
  ] as const)('of %s is taken', async (_, make) => {
    await uploaded(ada, await make())
  })

  it.each([
    ['SVG', async () => ({ name: 'a.svg', type: 'image/svg+xml', content: '<svg onload="alert(1)"/>' })],
    ['SVG as text', async () => text('\ufeff  <svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG behind an XML head', async () => text('<?xml version="1.0"?><svg/>')],
    ['HTML', async () => ({ name: 'a.html', type: 'text/html', content: '<script>1</script>' })],
    ['HTML as text', async () => text('\n<!DOCTYPE html><script>1</script>')],
    ['HTML by its ending', async () => text('harmless', 'a.HTML')],
    ['HTML as a picture', async () => ({ name: 'a.png', type: 'image/png', content: '<html>' })],
    ['a zip as a picture', async () => ({ name: 'a.png', type: 'image/png', content: zip('a', 'a') })],
    ['a picture as text', async () => text((await picture('png')).toString('latin1'))],
    ['a PDF as text', async () => text(PDF.toString())],
    ['text with NUL', async () => text('a\0b')],
    ['text that is not UTF-8', async () => ({ name: 'a.txt', type: 'text/plain', content: Buffer.from([97, 0xc3]) })],
    ['a jpeg as png', async () => ({ name: 'a.png', type: 'image/png', content: await picture('jpeg') })],
    [
      'a picture that is an archive too',
      async () => ({
        name: 'a.gif',
        type: 'image/gif',
        content: Buffer.concat([await picture('gif', 10, 10), zip('a', 'a')]),
      }),
    ],
    [
      'a picture that is a PDF too',
      async () => {
        const gif = await picture('gif', 10, 10)
        return {
          name: 'a.gif',
          type: 'image/gif',
          content: Buffer.concat([gif.subarray(0, 13), PDF, gif.subarray(13)]),
        }
      },
    ],
    [
      'a picture with a script in its head',
      async () => ({ name: 'a.gif', type: 'image/gif', content: Buffer.from('GIF89a=0;//<script>alert(1)</script>') }),
    ],
    ['a program', async () => ({ name: 'a.bin', type: 'application/octet-stream', content: Buffer.from('MZ\x90\0') })],
    [
      'a docx that is only a zip',
      async () => ({ name: 'a.docx', type: 'application/octet-stream', content: zip('a', 'a') }),
    ],
    ['an empty picture', async () => ({ name: 'a.png', type: 'image/png', content: '' })],
  ] as const)('of %s is refused', async (_, make) => {
    const before = await files()
    const answer = await app.upload(ada, await make())
    expect([answer.status, answer.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(await files()).toEqual(before)
  })

  it('beyond the size is refused, and one into a full account', async () => {
    const large = await app.upload(ada, text('x'.repeat(1_048_577)))
    expect([large.status, large.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    isFull = true
    const full = await app.upload(ada, text('x'))
    isFull = false
    expect([full.status, full.code]).toEqual([429, 'QUOTA_EXCEEDED'])
  })

  it('says what was stored', async () => {
    expect(await uploaded(ada, text('hello'))).toMatchObject({
      filename: 'note.txt',
      contentType: 'text/plain',
      sizeBytes: 5,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      hasThumbnail: false,
    })
  })
})

async function files(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.runtime.blobs?.list('') ?? []) keys.push(key)
  return keys
}

describe('a thumbnail', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    'of %s is small, keeps its sides, and nothing but pixels',
    async (format) => {
      const { id } = await uploaded(ada, {
        name: `a.${format}`,
        type: `image/${format}`,
        content: await picture(format),
      })
      const response = await get(ada, `/messages/attachments/${id}?thumb=1`)
      expect(response.headers.get('x-thumbnail')).toBe('thumbnail')
      const content = Buffer.from(await response.arrayBuffer())
      const { width, height, exif } = await sharp(content).metadata()
      expect([width, height, exif]).toEqual([320, 160, undefined])
      expect(content.toString('latin1')).not.toContain('canary-of-the-camera')
    },
  )

  it('that cannot be made is the file itself, and never a failed upload', async () => {
    const whole = await picture('png', 40, 40)
    // The header declares 60,000 by 60,000 pixels. Its checksum is then wrong, which that of a real bomb need not be.
    const bomb = Buffer.from(whole)
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    for (const content of [bomb, whole.subarray(0, 60)]) {
      const made = await uploaded(ada, { name: 'a.png', type: 'image/png', content })
      expect(made.hasThumbnail).toBe(false)
      const response = await get(ada, `/messages/attachments/${made.id}?thumb=1`)
      expect([response.status, response.headers.get('x-thumbnail')]).toEqual([200, 'original'])
      expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
    }
    const wide = await sharp({ create: { width: 8000, height: 5001, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect((await uploaded(ada, { name: 'a.png', type: 'image/png', content: wide })).hasThumbnail).toBe(false)
  })
})

describe('a download', () => {
  it('is whole or a part, under its name, and runs nowhere', async () => {
    const name = 'Zahlen "€" 100%.csv'
    const { id } = await uploaded(ada, { name, type: 'text/csv', content: '0123456789' })
    const whole = await get(ada, `/messages/attachments/${id}`)
    expect(await whole.text()).toBe('0123456789')
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '10',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    })
    expect(whole.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"]+"; filename\*=UTF-8''Zahlen%20%22%E2%82%AC%22%20100%25\.csv$/,
    )
    for (const [range, status, expected] of [
      ['bytes=2-4', 206, '234'],
      ['bytes=7-', 206, '789'],
      ['bytes=-2', 206, '89'],
      ['bytes=5-500', 206, '56789'],
      ['bytes=4-2', 200, '0123456789'],
      ['bytes=0-1,3-4', 200, '0123456789'],
      ['lines=1-2', 200, '0123456789'],
    ] as const) {
      const part = await get(ada, `/messages/attachments/${id}`, { range })
      expect([range, part.status, await part.text()]).toEqual([range, status, expected])
    }
    for (const range of ['bytes=10-', 'bytes=90-99', 'bytes=-0']) {
      const outside = await get(ada, `/messages/attachments/${id}`, { range })
      expect([range, outside.status, outside.headers.get('content-range')]).toEqual([range, 416, 'bytes */10'])
      expect(((await outside.json()) as { code: string }).code).toBe('RANGE_NOT_SATISFIABLE')
    }
    // Files have no validator, so `If-Range` never matches.
    const conditional = await get(ada, `/messages/attachments/${id}`, { range: 'bytes=2-4', 'if-range': '"1"' })
    expect([conditional.status, await conditional.text()]).toEqual([200, '0123456789'])
    const image = await uploaded(ada, { name: 'a.png', type: 'image/png', content: await picture('png', 8, 8) })
    const shown = await get(ada, `/messages/attachments/${image.id}`)
    expect(shown.headers.get('content-disposition')).toMatch(/^inline; /)
    await shown.arrayBuffer()
  })

  it('is for anyone who sees the message; before that for the uploader alone', async () => {
    const { id } = await uploaded(ada, text('secret'))
    expect((await get(abe, `/messages/attachments/${id}`, { 'x-org-id': ada.orgId })).status).toBe(404)
    expect((await get(root, `/messages/attachments/${id}`, { 'x-org-id': SYSTEM_ORG_ID })).status).toBe(404)
    const sent = await app.call('POST', '/messages', {
      as: ada,
      body: { recipientOrgId: ada.orgId, subject: 's', content: 'c', attachmentIds: [id] },
    })
    expect(sent.data.message.attachmentCount).toBe(1)
    const status = async (as: SignedIn, orgId: string) => {
      const response = await get(as, `/messages/attachments/${id}`, { 'x-org-id': orgId })
      await response.arrayBuffer()
      return response.status
    }
    expect(await status(abe, ada.orgId)).toBe(200)
    expect(await status(bob, bob.orgId)).toBe(404)
    expect(await status(root, SYSTEM_ORG_ID)).toBe(200)
    const listed = await app.call('GET', `/messages/${sent.data.message.id}/attachments`, { as: ada })
    expect(listed.data.attachments.map((each: { id: string }) => each.id)).toEqual([id])
    const thread = await app.call('GET', `/messages/${sent.data.message.id}/thread`, { as: ada })
    expect(thread.data.messages[0].attachments).toMatchObject([{ id, filename: 'note.txt' }])
    await app.call('DELETE', `/messages/${sent.data.message.id}`, { as: ada })
    expect(await status(ada, ada.orgId)).toBe(404)
  })
})

describe('linking', () => {
  it('of an id that is unknown, another’s or used sends nothing', async () => {
    const used = (await uploaded(ada, text('1'))).id
    const send = (as: SignedIn, attachmentIds: string[]) =>
      app.call('POST', '/messages', {
        as,
        headers: { 'x-org-id': ada.orgId },
        body: { recipientOrgId: ada.orgId, subject: 'with files', content: 'c', attachmentIds },
      })
    expect((await send(ada, [used])).status).toBe(201)
    const own = (await uploaded(ada, text('2'))).id
    const count = async () => (await app.call('GET', '/messages?search=with files', { as: ada })).data.pagination.total
    const before = await count()
    const wrong = await send(ada, [own, used, '99999999-9999-7999-8999-999999999999'])
    expect(wrong.status).toBe(400)
    expect(wrong.body.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      '/body/attachmentIds/1',
      '/body/attachmentIds/2',
    ])
    expect((await send(abe, [own])).status).toBe(400)
    expect(await count()).toBe(before)
    // Two messages at the same time: one gets the file.
    const both = await Promise.all([send(ada, [own]), send(ada, [own])])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
  })
})

it('files of a message that is restored take their bytes again, and none where there is no room', async () => {
  const [first, second] = [await uploaded(ada, text('first')), await uploaded(ada, text('the second'))]
  const send = (as: SignedIn, path: string, body: object) => app.call('POST', path, { as, body })
  const between = { recipientOrgId: ada.orgId, subject: 's', content: 'c', attachmentIds: [first.id] }
  const { id } = (await send(ada, '/messages', between)).data.message
  const reply = await send(ada, `/messages/${id}/reply`, { content: 'c', attachmentIds: [second.id] })
  expect(reply.status).toBe(201)
  expect((await app.call('DELETE', `/messages/${id}`, { as: ada })).status).toBe(200)
  const restore = async () => app.call('POST', `/messages/${id}/restore`, { as: ada, headers: await stepUp(app, ada) })
  isFull = true
  expect((await restore()).code).toBe('QUOTA_EXCEEDED')
  isFull = false
  taken = []
  expect((await restore()).status).toBe(200)
  expect(taken).toEqual([[ada.orgId, 'storageBytes', first.sizeBytes + second.sizeBytes]])
  expect((await restore()).status).toBe(404)
})

describe('the sweep', () => {
  it('takes uploads that no message took, and messages that nobody can restore; the rest stays, and so do its files', async () => {
    const waiting = (await uploaded(ada, text('waiting'))).id
    const kept = (await uploaded(ada, text('kept'))).id
    const sent = await app.call('POST', '/messages', {
      as: ada,
      body: { recipientOrgId: ada.orgId, subject: 's', content: 'c', attachmentIds: [kept] },
    })
    const named = async () => {
      const keys: string[] = []
      await store.system.read(async (db) => {
        for await (const key of messageRegistration.blobs(db, ada.orgId)) keys.push(key)
      })
      return keys
    }
    expect(await named()).toEqual(expect.arrayContaining([`${ada.orgId}/attachments/${waiting}`]))
    app.clock.advance(25 * 3_600_000)
    await runJobs(app, [sweepMessages], ['message.sweep'])
    expect(await named()).not.toContain(`${ada.orgId}/attachments/${waiting}`)
    expect(await named()).toContain(`${ada.orgId}/attachments/${kept}`)
    const again = await signInOf('ada')
    expect((await app.call('DELETE', `/messages/${sent.data.message.id}`, { as: again })).status).toBe(200)
    app.clock.advance(31 * 86_400_000)
    await runJobs(app, [sweepMessages], ['message.sweep'])
    expect(await named()).not.toContain(`${ada.orgId}/attachments/${kept}`)
    const late = await signInOf('ada')
    const headers = await stepUp(app, late)
    expect((await app.call('POST', `/messages/${sent.data.message.id}/restore`, { as: late, headers })).status).toBe(
      404,
    )
  })
})

async function signInOf(name: string): Promise<SignedIn> {
  const answer = await app.call('POST', '/auth/login', { body: { identifier: name, password: 'Correct-Horse-7' } })
  return { ...ada, accessToken: answer.data.accessToken }
}
