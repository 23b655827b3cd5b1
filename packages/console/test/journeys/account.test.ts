/** The account screen, saved views, the system screen and impersonation. Each journey ends by asking the API. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newTokenKey } from '../../../server/src/registry/new-key.js'
import { type FakeRegistry, fakeRegistry } from '../../../server/test/support/fake-registry.js'
import { oneTimeCode } from '../../../server/test/support/one-time-code.js'
import {
  type Api,
  type DemoConsole,
  demoConsole,
  describeConsole,
  faultsOf,
  signIn,
  type Visit,
} from '../support/console.js'
import { looksOf } from '../support/looks.js'
import { seed } from '../support/seed.js'

interface Me {
  readonly user: { readonly username: string; readonly pendingEmail: string | null }
}

const EVENTS_SECRET = 'a-secret-of-sixteen-characters'

describeConsole('account and system', () => {
  let demo: DemoConsole
  let owner: Api
  let registry: FakeRegistry
  let ruleId = ''
  beforeAll(async () => {
    registry = await fakeRegistry()
    const settings = {
      REGISTRY_URL: registry.url,
      REGISTRY_TOKEN_KEYS: newTokenKey(),
      REGISTRY_EVENTS_SECRET: EVENTS_SECRET,
    }
    demo = await demoConsole({ superAdmin: 'demo-admin', settings })
    owner = await demo.as('demo-owner')
    ruleId = (await seed(owner)).ruleId
  })
  afterAll(async () => {
    await demo?.stop()
    await registry?.close()
  })

  const confirm = async ({ page }: Visit) => {
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.locator('input[type=password]').fill(demo.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  it('a session that the identity provider opened is confirmed by it, in another tab', async () => {
    const { page, context, complaints, close } = await demo.open({ user: 'demo-admin' })
    const { organization } = await (await demo.as('demo-admin'))<{ organization: { id: string } }>('GET', '/auth/me')
    // The provider: the session says that one opened it, and the way to it ends at a page of ours.
    const headers = { 'x-csrf': '1', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', origin: demo.url }
    const me = await context.request.get('/api/auth/me', { headers })
    const { data } = (await me.json()) as { data: object }
    const confined = { success: true, statusCode: 200, data: { ...data, confinedTo: organization.id } }
    await page.route('**/api/auth/me', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: confined }) : route.continue(),
    )
    let returnTo = ''
    await page.route(`**/api/auth/sso/${organization.id}/attach`, (route) => {
      returnTo = (route.request().postDataJSON() as { returnTo: string }).returnTo
      return route.fulfill({ json: { success: true, statusCode: 200, data: { url: `${demo.url}/healthz` } } })
    })
    await page.goto('/console/demo/account')
    await page.getByLabel('E-mail address').fill('admin-new@plumbline.test')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Go to the identity provider' }).click(),
    ])
    await dialog.getByText('Waiting for the other tab').waitFor()
    expect(await faultsOf(page)).toEqual([])
    const proof = await context.request.post('/api/auth/step-up', {
      data: { method: 'password', password: demo.password },
      headers,
    })
    const { stepUpToken } = ((await proof.json()) as { data: { stepUpToken: string } }).data
    // A page for another request tells this one nothing.
    const stranger = await context.newPage()
    await stranger.goto('/console/confirmed?id=another#step-up=x')
    await stranger.getByText('You are confirmed').waitFor()
    await dialog.getByText('Waiting for the other tab').waitFor()
    expect(new URL(stranger.url()).hash).toBe('')
    await stranger.goto('/console/confirmed')
    await stranger.getByText('This address confirms nothing').waitFor()
    await stranger.close()
    const gone = other.waitForEvent('close')
    await other.goto(`${returnTo}#step-up=${stepUpToken}`)
    await gone
    await dialog.waitFor({ state: 'detached' })
    const admin = await demo.as('demo-admin')
    await expect
      .poll(async () => (await admin<Me>('GET', '/auth/me')).user.pendingEmail)
      .toBe('admin-new@plumbline.test')
    expect(complaints).toEqual([])
    await close()
  })

  it('a name is changed, a new address waits for its link, and one may stay with the present one', async () => {
    const visit = await demo.open({ user: 'demo-member' })
    const { page, complaints, close } = visit
    const member = await demo.as('demo-member')
    await page.goto('/console/')
    await page.getByRole('button', { name: 'Account demo-member' }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.getByLabel('User name').fill('demo-renamed')
    await page.route('**/api/auth/me', async (route) => {
      if (route.request().method() === 'GET') await mayAnswer
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your account is changed.').waitFor()
    // What is typed before the saved account is read again stays.
    await page.getByLabel('E-mail address').fill('renamed@plumbline.test')
    answer()
    await visit.settled()
    expect(await page.getByLabel('User name').inputValue()).toBe('demo-renamed')
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('renamed@plumbline.test')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await confirm(visit)
    await page.getByText('renamed@plumbline.test waits for its confirmation').waitFor()
    expect((await member<Me>('GET', '/auth/me')).user).toMatchObject({
      username: 'demo-renamed',
      pendingEmail: 'renamed@plumbline.test',
    })
    await page.getByRole('button', { name: 'Keep the present address' }).click()
    await page.getByText('waits for its confirmation').waitFor({ state: 'detached' })
    expect((await member<Me>('GET', '/auth/me')).user.pendingEmail).toBeNull()
    expect(complaints).toEqual([])
    await close()
  })

  it('a view that another tab saved meanwhile stays', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-admin' })
    await page.goto('/console/demo/findings?severity=error')
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    const admin = await demo.as('demo-admin')
    await admin('PUT', '/auth/me/preferences', {
      favorites: [],
      recents: [],
      views: [{ name: 'Of the other tab', path: 'rules' }],
    })
    await page.getByLabel('Name of the view').fill('Errors')
    await page.keyboard.press('Enter')
    await page.getByText('The view is saved.').waitFor()
    const { views } = await admin<{ views: { name: string }[] }>('GET', '/auth/me/preferences')
    expect(views.map(({ name }) => name)).toEqual(['Of the other tab', 'Errors'])
    expect(complaints).toEqual([])
    await close()
  })

  it('a view is saved under a name, found in the search, and leads back to its filters', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/findings?severity=error&group=rule')
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name of the view').fill('Errors by rule')
    await page.keyboard.press('Enter')
    await page.getByText('The view is saved.').waitFor()
    expect(await owner('GET', '/auth/me/preferences')).toMatchObject({
      views: [{ name: 'Errors by rule', path: 'findings?severity=error&group=rule' }],
    })
    await page.goto('/console/demo/rules')
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('errors by')
    await page.getByRole('option', { name: 'Errors by rule' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/findings?severity=error&group=rule')
    expect(complaints).toEqual([])
    await close()
  })

  it('the address that a refusal names shows its check, whatever the list shows', async () => {
    const body = {
      project: 'refused',
      organization: 'acme',
      props: { synth: { source: { type: 'github', options: { repo: 'acme/x' } }, plugin: { name: 'synth' } } },
    }
    const refusal = await owner('POST', '/pipelines', body).then(String, String)
    const path = /"checkPath":"([^"]+)"/.exec(refusal)?.[1] ?? ''
    expect(path).toMatch(/^\/console\/demo\/checks\?sheet=/)
    const { page, close } = await demo.open({ user: 'demo-owner', width: 390 })
    await page.goto(`${path}&result=pass&rule=${ruleId}`)
    await page.getByRole('dialog').getByText('labels.team must be present').first().waitFor()
    await close()
  })

  it('people, organizations and limits of the server; acting as somebody under a frame, and back', async () => {
    const visit = await demo.open({ user: 'demo-admin' })
    const { page, complaints, close } = visit
    const admin = await demo.as('demo-admin')
    await page.goto('/console/demo/system?tab=organizations')
    await page.getByRole('button', { name: 'Tier and limits: Demo' }).click()
    await page.getByLabel('Plugins', { exact: true }).fill('77')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Tier and limits are set.').waitFor()
    const { organizations } = await admin<{ organizations: { id: string; slug: string }[] }>('GET', '/organizations')
    const { id } = organizations.find(({ slug }) => slug === 'demo') as { id: string }
    expect(await admin('GET', `/quotas/${id}`)).toMatchObject({ quota: { quotas: { plugins: { override: 77 } } } })
    await page.getByRole('tab', { name: 'People' }).click()
    await page.getByRole('link', { name: 'demo-team-member' }).click()
    await page.getByRole('button', { name: 'Features of this person' }).click()
    const features = page.getByRole('dialog', { name: 'Features of this person' })
    await features.getByLabel('advanced_reporting').selectOption('Off')
    expect(await faultsOf(page)).toEqual([])
    await features.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The account is changed.').waitFor()
    const { users } = await admin<{ users: { username: string; features: unknown }[] }>('GET', '/admin/users')
    expect(users.find(({ username }) => username === 'demo-team-member')?.features).toEqual({
      advanced_reporting: false,
    })
    await page.getByRole('button', { name: 'Act as this person' }).click()
    await page.getByLabel('Reason').fill('To see what the person sees')
    await page.getByRole('dialog', { name: 'Act as this person' }).getByRole('button', { name: 'Act as' }).click()
    await confirm(visit)
    await page.getByText('You act as demo-team-member').waitFor()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Be yourself again' }).click()
    await page.getByRole('button', { name: 'Account demo-admin' }).waitFor()
    expect(await page.getByText('You act as').count()).toBe(0)
    const { events } = await admin<{ events: { details: unknown }[] }>('GET', '/audit?action=admin.impersonate.start')
    expect(events[0]?.details).toMatchObject({ reason: 'To see what the person sees', readOnly: true })
    expect(complaints).toEqual([])
    await close()
  })

  it('a message is written to a colleague by keyboard alone, and arrives', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner', width: 390 })
    await page.goto('/console/demo/inbox')
    await page.getByRole('button', { name: 'Write a message' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Write a message' })
    await dialog.getByRole('option', { name: 'demo-admin' }).waitFor({ state: 'attached' })
    await dialog.getByLabel('Person').focus()
    await page.keyboard.type('demo-admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ready for Monday')
    await page.keyboard.press('Tab')
    await page.keyboard.type('The rule about teams blocks from Monday on.')
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('The message is sent.').waitFor()
    const admin = await demo.as('demo-admin')
    const { messages } = await admin<{ messages: unknown[] }>('GET', '/messages?search=Monday')
    expect(messages).toMatchObject([{ subject: 'Ready for Monday', senderName: 'demo-owner', isRead: false }])
    expect(complaints).toEqual([])
    await close()
  })

  it('a sign-out that the network loses is told and tried again; the next sign-in takes a code as it is pasted', async () => {
    const visit = await demo.open({ user: 'demo-team-member' })
    const { page, close } = visit
    const paste = async (text: string) => {
      await page.getByLabel('Code', { exact: true }).focus()
      await page.keyboard.insertText(text)
    }
    await page.goto('/console/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${new URL(page.url()).pathname.replace(/[^/]+$/, 'access')}?tab=mfa`)
    const begun = page.waitForResponse((answer) => answer.url().endsWith('/enroll') && answer.ok())
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    await confirm(visit)
    const { secret } = ((await (await begun).json()) as { data: { secret: string } }).data
    const first = oneTimeCode(secret)
    // As other programs show it, with a space that does not break.
    await paste(`${first.slice(0, 3)}\u00a0${first.slice(3)}\n`)
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    // A confirmation is good for one change.
    await confirm(visit)
    await page.getByText('Recovery codes').waitFor()

    const signOut = async () => {
      await page.getByRole('button', { name: 'Account demo-team-member' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await page.route('**/api/auth/logout', (route) => route.abort())
    await signOut()
    const stillIn = page.getByRole('dialog', { name: 'You are still signed in' })
    await stillIn.waitFor()
    expect(await faultsOf(page)).toEqual([])
    const asked = () => page.evaluate(async () => (await fetch('/api/auth/me')).status)
    expect(await asked()).toBe(200)
    await page.unroute('**/api/auth/logout')
    await stillIn.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL('**/console/sign-in')
    expect(await asked()).toBe(401)

    await signIn(page, 'demo-team-member', demo.password)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    const second = oneTimeCode(secret, 30)
    await paste(`${second.slice(0, 3)}\u00a0${second.slice(3)}\n`)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'Account demo-team-member' }).waitFor()
    expect(await asked()).toBe(200)
    await close()
  })

  it('an image is deleted with the tags that its dialog names, and a whole name only after it is typed', async () => {
    const digest = registry.stage('system/shop', { tag: '1.0' })
    registry.manifests.set('system/shop:latest', registry.manifests.get('system/shop:1.0') as Buffer)
    registry.stage('system/shop', { tag: 'next', seed: 'n' })
    const told = await fetch(`${demo.url}/api/registry/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/vnd.docker.distribution.events.v1+json',
        authorization: `Bearer ${EVENTS_SECRET}`,
      },
      body: JSON.stringify({ events: [{ id: 'pushed', action: 'push', target: { repository: 'system/shop' } }] }),
    })
    expect(told.status).toBe(200)
    const { page, complaints, close } = await demo.open({ user: 'demo-admin' })
    const admin = await demo.as('demo-admin')
    const known = () => admin<{ repositories: unknown[] }>('GET', '/images').then(({ repositories }) => repositories)
    await expect.poll(known).toHaveLength(1)
    await page.goto('/console/demo/images')
    await page.getByRole('link', { name: 'system/shop' }).click()
    await page.getByRole('button', { name: 'Manifest of 1.0' }).click()
    await page.getByRole('button', { name: 'Delete image', exact: true }).click()
    const one = page.getByRole('dialog', { name: 'Delete image' })
    await one.getByRole('button', { name: 'Delete image', exact: true }).click()
    await one.getByText('It also has these tags').waitFor()
    expect(registry.manifests.has(`system/shop@${digest}`)).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await one.getByRole('button', { name: 'Delete it with all its tags' }).click()
    await page.getByText('The image is deleted.').waitFor()
    expect(registry.manifests.has(`system/shop@${digest}`)).toBe(false)

    await page.getByRole('button', { name: 'Delete all images of this name' }).click()
    const all = page.getByRole('dialog', { name: 'Delete all images of this name' })
    const go = all.getByRole('button', { name: 'Delete all images of this name' })
    expect(await go.isDisabled()).toBe(true)
    await all.getByLabel('Type system/shop to confirm').fill('system/shop')
    await go.click()
    await page.getByText('The images are deleted.').waitFor()
    expect([...registry.manifests.keys()]).toEqual([])
    // The refusal that names the tags, and what the page reads again of an image that is gone.
    expect(complaints.filter((each) => !/40[49] \(/.test(each))).toEqual([])
    await close()
  })

  it('the system is without a fault in light, dark and on a phone', async () => {
    const looks = await looksOf(demo, 'demo-admin')
    for (const tab of ['overview', 'users', 'organizations']) await looks.at(`system?tab=${tab}`)
  }, 120_000)
})
