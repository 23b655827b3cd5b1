/**
 * The story of identity in one process, on every database, with each e-mail going through a real SMTP server. Jobs run when
 * the story says so, and the clock stands until it is moved.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgotPasswordJob } from '../src/identity/auth/forgot-password.js'
import { SIGN_IN_TEMPLATES } from '../src/identity/mail/templates.js'
import { TENANT_JOBS, TENANT_TEMPLATES } from '../src/identity/tenant-operations.js'
import { fileBlobStore } from '../src/runtime/blobs/file-store.js'
import { mailJob } from '../src/runtime/mail/send.js'
import { type MailTransport, mailTransport } from '../src/runtime/mail/transport.js'
import type { Store } from '../src/runtime/store/db.js'
import { BOTH_DATABASES, describeStores } from './support/describe-stores.js'
import { identityStory, STORY_SETTINGS } from './support/identity-story.js'
import { type Mailbox, openMailbox } from './support/mailbox.js'
import { organizationApp, runJobs } from './support/organizations.js'
import { evidence, type IdentityApp } from './support/sign-in.js'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-journey-'))
const blobs = fileBlobStore(folder)
afterAll(() => rmSync(folder, { recursive: true }))

let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
})
afterAll(() => mailbox.close())

await describeStores('a story of identity', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let transport: MailTransport
  beforeAll(async () => {
    mailbox.received.length = 0
    store = await open()
    app = await organizationApp(store, {
      blobs,
      settings: {
        ...STORY_SETTINGS,
        ...mailbox.settings,
      },
    })
    transport = mailTransport(app.runtime.settings, () => undefined)
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    transport.close()
    await app.identity.settle()
    await store.close()
  })

  it('goes from registration to purge', () =>
    identityStory({
      app,
      evidence: () => evidence(app),
      nowMs: () => app.clock.now(),
      advance: async (ms) => app.clock.advance(ms),
      async mail(to, isOne) {
        await runJobs(app, [forgotPasswordJob])
        await runJobs(app, [mailJob([...SIGN_IN_TEMPLATES, ...TENANT_TEMPLATES], transport)])
        return mailbox.newest(to, isOne)
      },
      noticed: async () => undefined,
      async purge(gone, kept) {
        for (const orgId of [gone, kept]) await blobs.put(`${orgId}/files/one`, Readable.from([Buffer.from('x')]), 1)
        await runJobs(app, TENANT_JOBS, ['organization.purge'])
        expect(await blobs.stat(`${gone}/files/one`)).toBeNull()
        expect(await blobs.stat(`${kept}/files/one`)).toEqual({ bytes: 1 })
      },
    }))
})
