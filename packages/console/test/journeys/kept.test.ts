/** What a person typed stays while the page changes around it, and what cannot be taken back is asked about first. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, faultsOf, type Visit } from '../support/console.js'
import { seed } from '../support/seed.js'

interface Me {
  readonly user: { readonly id: string }
  readonly organization: { readonly id: string }
}

interface Members {
  readonly members: readonly { readonly username: string }[]
  readonly pagination: object
}

describeConsole('care', () => {
  let demo: DemoConsole
  let owner: Api
  let me: Me
  let visit: Visit
  beforeAll(async () => {
    demo = await demoConsole()
    owner = await demo.as('demo-owner')
    me = await owner<Me>('GET', '/auth/me')
    await seed(owner)
  })
  afterAll(() => demo?.stop())
  beforeEach(async () => {
    visit = await demo.open({ user: 'demo-owner' })
  })
  afterEach(() => visit.close())

  it('an answer that is typed stays when the filter for unread ones no longer has the thread', async () => {
    const { page } = visit
    const admin = await demo.as('demo-admin')
    await admin('POST', '/messages', {
      recipientOrgId: me.organization.id,
      recipientUserId: me.user.id,
      subject: 'The shop',
      content: 'May it ship?',
    })
    await page.goto('/console/demo/inbox?read=false')
    const list = page.locator('main')
    await list.getByRole('link', { name: 'The shop' }).click()
    const thread = page.getByRole('dialog', { name: 'The shop' })
    await thread.getByLabel('Your answer').fill('Yes, on Monday')
    await list.getByRole('link', { name: 'The shop' }).waitFor({ state: 'detached' })
    await visit.settled()
    expect(await thread.getByLabel('Your answer').inputValue()).toBe('Yes, on Monday')
    await page.reload()
    await thread.getByText('May it ship?').waitFor()
    await thread.getByLabel('Your answer').fill('Yes, on Tuesday')
    await thread.getByRole('button', { name: 'Answer' }).click()
    await thread.getByText('Yes, on Tuesday').waitFor()
    expect(visit.complaints).toEqual([])
  })

  it('a setting that is typed stays when a select of the same form is changed', async () => {
    const { page } = visit
    await page.goto('/console/demo/organization')
    await page.getByLabel('Description').fill('We ship the shop')
    const scope = page.getByLabel('Members may change')
    await scope.selectOption((await scope.inputValue()) === 'own' ? 'org' : 'own')
    await page.getByText('The organization is changed.').waitFor()
    await visit.settled()
    expect(await page.getByLabel('Description').inputValue()).toBe('We ship the shop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const now = () => owner<{ organization: { description: string } }>('GET', '/organization')
    await expect.poll(async () => (await now()).organization.description).toBe('We ship the shop')
    expect(visit.complaints).toEqual([])
  })

  it('a space at the end of a search stays while the list is read', async () => {
    const { page } = visit
    await page.goto('/console/demo/plugins')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.pressSequentially('demo ')
    await page.waitForURL('**/plugins?q=demo')
    await visit.settled()
    await search.pressSequentially('b')
    await page.waitForURL('**/plugins?q=demo*b')
    expect(await search.inputValue()).toBe('demo b')
    await page.goto('/console/demo/plugins?q=other')
    expect(await search.inputValue()).toBe('other')
    expect(visit.complaints).toEqual([])
  })

  it('a search that finds more than it shows leads to the list of all', async () => {
    const { page } = visit
    for (let n = 1; n <= 6; n++) {
      const body = { name: `Found ${n}`, target: 'plugin', mode: 'observe', field: 'version', operator: 'exists' }
      await owner('POST', '/compliance/rules', body)
    }
    await page.goto('/console/demo/rules')
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('found')
    const all = page.getByRole('option', { name: 'All with “found” Rule' })
    await all.waitFor()
    expect(await page.getByRole('option', { name: /^Found \d Rule/ }).count()).toBe(5)
    expect(await faultsOf(page)).toEqual([])
    await all.click()
    await page.waitForURL('**/rules?q=found')
    await page.getByRole('link', { name: 'Found 6', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: /^Found \d$/ }).count()).toBe(6)
    expect(visit.complaints).toEqual([])
  })

  it('a rule that is edited is saved together with what somebody else changed meanwhile', async () => {
    const { page } = visit
    const { rule } = await owner<{ rule: { id: string } }>('POST', '/compliance/rules', {
      name: 'Pipelines have a runbook',
      target: 'pipeline',
      severity: 'error',
      mode: 'observe',
      field: 'labels.runbook',
      operator: 'exists',
    })
    await page.goto(`/console/demo/rules/${rule.id}/edit`)
    await page.getByLabel('Description').fill('So that somebody knows what to do.')
    await owner('PUT', `/compliance/rules/${rule.id}`, { severity: 'warning' })
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('button', { name: 'Load the newest' }).click()
    await page.getByText('A draft of this tab was kept.').waitFor()
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('heading', { name: 'Pipelines have a runbook', exact: true }).waitFor()
    const stored = await owner<{ rule: object }>('GET', `/compliance/rules/${rule.id}`)
    expect(stored.rule).toMatchObject({ severity: 'warning', description: 'So that somebody knows what to do.' })
  })

  it('text of a rule that cannot be read stays, and the other notations say why they cannot show it', async () => {
    const { page } = visit
    await page.goto('/console/demo/rules/new?as=json')
    const text = '{ "name": "Pipelines have an owner", '
    const editor = page.getByLabel('Rule as JSON')
    await editor.fill(text)
    await page.getByText('This text cannot be read yet').waitFor()
    const save = page.getByRole('button', { name: 'Save rule' })
    const tab = (name: string) => page.getByRole('tab', { name }).click()
    for (const other of ['Form', 'YAML']) {
      await tab(other)
      await page.getByText('The rule cannot be shown here while its JSON cannot be read').waitFor()
      expect(await page.getByLabel('Description').count()).toBe(0)
      expect(await save.isDisabled()).toBe(true)
    }
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to JSON' }).click()
    expect((await editor.textContent())?.trim()).toBe(text.trim())
    await page.reload()
    expect((await editor.textContent())?.trim()).toBe(text.trim())
    await editor.fill(`${text}"target": "plugin" }`)
    await tab('Form')
    expect(await page.getByLabel('Name').inputValue()).toBe('Pipelines have an owner')
    await tab('JSON')
    await editor.fill('{')
    await tab('Form')
    await page.getByRole('button', { name: 'Discard the JSON text' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Pipelines have an owner')
    expect(visit.complaints).toEqual([])
  })

  it('a choice says how many it leaves out, and the server finds them by their name', async () => {
    const { page } = visit
    const asked: (string | null)[] = []
    await page.route('**/members?*', async (route) => {
      const { pathname, search, searchParams } = new URL(route.request().url())
      const text = searchParams.get('search')
      asked.push(text)
      const data = await owner<Members>('GET', `${pathname.replace('/api', '')}${search}`)
      // The whole list leaves people out; a search finds them.
      const members = text === null ? data.members.filter(({ username }) => username !== 'demo-member') : data.members
      const total = members.length + (text === null ? 140 : 0)
      const shown = { members, pagination: { ...data.pagination, total } }
      await route.fulfill({ json: { success: true, statusCode: 200, data: shown } })
    })
    await page.goto('/console/demo/inbox')
    await page.getByRole('button', { name: 'Write a message' }).click()
    const dialog = page.getByRole('dialog')
    const person = dialog.getByLabel('Person', { exact: true })
    await dialog.getByText('140 more are not in this list').waitFor()
    await person.selectOption({ label: 'demo-admin' })
    await dialog.getByLabel('Search: Person').fill('demo-mem')
    await dialog.getByText('140 more are not in this list').waitFor({ state: 'detached' })
    expect(await person.locator('option:checked').textContent()).toBe('demo-admin')
    expect(await faultsOf(page)).toEqual([])
    await person.selectOption({ label: 'demo-member' })
    await dialog.getByLabel('Subject').fill('Found you')
    await dialog.getByLabel('Message').fill('By name')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new Set(asked)).toEqual(new Set([null, 'demo-mem']))
    const member = await demo.as('demo-member')
    const { messages } = await member<{ messages: { subject: string }[] }>('GET', '/messages')
    expect(messages).toContainEqual(expect.objectContaining({ subject: 'Found you' }))
    expect(visit.complaints).toEqual([])
  })

  it('a secret is deleted only after its name is typed', async () => {
    const { page } = visit
    const path = `/organization/${me.organization.id}/secrets`
    const names = async () =>
      (await owner<{ secrets: { name: string }[] }>('GET', path)).secrets.map(({ name }) => name)
    await owner('PUT', `${path}/NPM_TOKEN`, { value: 'a-value-of-the-registry' })
    await page.goto('/console/demo/access?tab=secrets')
    await page.getByRole('button', { name: 'Delete: NPM_TOKEN' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete: NPM_TOKEN' })
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true })
    expect(await confirm.isDisabled()).toBe(true)
    expect(await names()).toEqual(['NPM_TOKEN'])
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByLabel('Type NPM_TOKEN to confirm').fill('NPM_TOKEN')
    await confirm.click()
    await page.getByText('It is deleted.').waitFor()
    expect(await names()).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  it('an old address of a list leads back to its last page', async () => {
    const { page } = visit
    await page.goto('/console/demo/pipelines?page=9')
    await page.getByText('Nothing is on this page any more').waitFor()
    await page.getByRole('button', { name: 'To the last page' }).click()
    await page.getByRole('link', { name: 'checkout' }).first().waitFor()
    expect(visit.complaints).toEqual([])
  })
})
