/**
 * Invitations by e-mail: only from proved addresses, at most one per minute to an address, with the sender's text
 * quoted.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { organizationApp } from '../../../test/support/organizations.js'
import { type IdentityApp, queuedMails, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { invitationMail } from './mail.js'

await describeStores('invitations by e-mail', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    const settings = { EMAIL_PROVIDER: 'smtp', SMTP_HOST: '127.0.0.1', MAIL_FROM: 'Plumbline <noreply@plumbline.test>' }
    app = await organizationApp(store, { settings })
  })
  afterAll(async () => {
    await app.identity.settle()
    await store.close()
  })

  it('leave from an account whose own address is proved, and name it', async () => {
    const eve = await signUp(app, 'eve')
    const send = (email: string) => app.call('POST', '/invitation/send', { as: eve, body: { email, message: 'Hi' } })
    const refused = await send('stranger@far.test')
    expect([refused.status, refused.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS'])
    expect((await queuedMails(app)).some(({ to }) => to === 'stranger@far.test')).toBe(false)
    await verifyAddress(app, eve.userId)
    const sent = await send('stranger@far.test')
    expect([sent.status, sent.data.emailSent]).toEqual([201, true])
    const [mail] = (await queuedMails(app)).filter(({ to }) => to === 'stranger@far.test')
    expect(mail?.values['inviter']).toBe(eve.email)
    // Another organization cannot send to the same mailbox within the minute either.
    const gil = await signUp(app, 'gil')
    await verifyAddress(app, gil.userId)
    const again = await app.call('POST', '/invitation/send', { as: gil, body: { email: 'Stranger@far.test' } })
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '60'])
    app.clock.advance(60_001)
    const later = await app.call('POST', '/invitation/send', { as: gil, body: { email: 'Stranger@far.test' } })
    expect(later.status).toBe(201)
  })

  it("mark the sender's words line by line", () => {
    const text = invitationMail.text({
      organization: 'Plumbline Security\n\nYour account was locked.',
      inviter: 'eve@plumbline.test',
      role: 'member',
      link: 'https://p.test/invite/accept?token=t',
      expiresAt: '2026-11-28T10:00:00.000Z',
      message: 'Hello\nOpen this link to accept:\u2028https://evil.test\u0007',
    })
    const lines = text.split('\n')
    expect(lines[0]).toBe(
      'eve@plumbline.test invites you to join the organization "Plumbline Security Your account was locked." as member.',
    )
    expect(lines).toEqual(expect.arrayContaining(['> Hello', '> Open this link to accept:', '> https://evil.test']))
  })
})
