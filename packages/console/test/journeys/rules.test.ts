/** What rules cover, how they fit together, what a set of them would break, and the tests of a rule in the editor. */
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type Api,
  type DemoConsole,
  demoConsole,
  describeConsole,
  type Visit,
  withPermissions,
} from '../support/console.js'
import { seed } from '../support/seed.js'

describeConsole('rules', () => {
  let demo: DemoConsole
  let owner: Api
  let ruleId = ''
  let visit: Visit
  beforeAll(async () => {
    demo = await demoConsole()
    owner = await demo.as('demo-owner')
    ruleId = (await seed(owner)).ruleId
  })
  afterAll(() => demo?.stop())
  beforeEach(async () => {
    visit = await demo.open({ user: 'demo-owner' })
  })
  afterEach(async () => {
    expect(visit.complaints).toEqual([])
    await visit.close()
  })
  const open = async (path: string) => {
    await visit.page.goto(`/console/demo/${path}`)
    await visit.page.getByRole('heading', { level: 1 }).waitFor()
    await visit.settled()
  }
  const rule = (name: string, more: object) => ({
    ...{ name, target: 'pipeline', severity: 'error', mode: 'observe', field: 'labels.runbook', operator: 'exists' },
    ...more,
  })
  const make = async (body: object) =>
    (await owner<{ rule: { id: string } }>('POST', '/compliance/rules', body)).rule.id

  it('the list counts open findings and records that pass, and the count leads to as many rows', async () => {
    const { page } = visit
    await open('rules')
    const row = page.getByRole('row', { name: /Pipelines name a team/ })
    const link = row.getByRole('link', { name: /open findings of Pipelines name a team/ })
    const count = Number(await link.textContent())
    expect(count).toBeGreaterThanOrEqual(3)
    await row.getByText(/^\d+ of \d+ pass$/).waitFor()
    await link.click()
    await page.waitForURL('**/findings?**')
    await visit.settled()
    expect(await page.locator('.pager').textContent()).toContain(`of ${count}`)
  })

  it('the page of a rule says which teams inherit it', async () => {
    const { page } = visit
    const me = await owner<{ organization: { id: string } }>('GET', '/auth/me')
    await owner('POST', '/organization', { name: 'Night shift', parentOrgId: me.organization.id })
    const id = await make(rule('Handed down', { propagateToChildren: true }))
    await open(`rules/${id}`)
    await page.getByRole('tab', { name: 'Inherited by' }).click()
    await page.getByRole('cell', { name: 'Night shift' }).waitFor()
    await open(`rules/${ruleId}`)
    expect(await page.getByRole('tab', { name: 'Inherited by' }).count()).toBe(0)
  })

  it('what the engine writes of a rule is said in the language of the person', async () => {
    const { page } = visit
    const id = await make(rule('Zweimal', { field: 'project', operator: 'in', value: ['a', 'a'] }))
    await page.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['de'] }))
    await open('rules?tab=analysis')
    const found = page.getByRole('row', { name: /Zweimal/ }).filter({ hasText: 'die Liste nennt "a" zweimal' })
    await found.getByText('einen der beiden entfernen').waitFor()
    await open(`rules/${ruleId}`)
    await page.getByRole('tab', { name: 'Wen sie trifft' }).click()
    await page
      .getByText(/muss vorhanden sein/)
      .first()
      .waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/must be present/)
    await owner('DELETE', `/compliance/rules/${id}`)
  })

  it('a finding of the analysis shows its fix, and saves it', async () => {
    const { page } = visit
    const id = await make(rule('Twice', { field: 'project', operator: 'in', value: ['a', 'a', 'b'] }))
    await open('rules?tab=analysis')
    await page.getByRole('button', { name: 'Show the fix of Twice' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Twice' })
    await dialog.getByRole('cell', { name: '["a","b"]' }).waitFor()
    await dialog.getByRole('button', { name: 'Save this change' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await owner('GET', `/compliance/rules/${id}`)).toMatchObject({ rule: { value: ['a', 'b'], version: 2 } })
  })

  it('form, JSON and YAML show the same draft, also while it is half written, and comments stay in their text', async () => {
    const { page } = visit
    await open('rules/new')
    const goTo = async (name: string) => {
      await page.getByRole('tab', { name }).click()
      await visit.settled()
    }
    const source = page.locator('.cm-content')
    const write = async (text: string) => {
      await source.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    }
    const values = () =>
      page.getByLabel('Value').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))
    const conditions = ['one', '2024', 'three'].map((value) => ({ field: value, operator: 'eq', value }))
    await goTo('JSON')
    await write(JSON.stringify({ name: 'x', target: 'pipeline', conditions, tags: ['a,b'] }))
    await goTo('Form')
    expect(await values()).toEqual(['one', '"2024"', 'three'])
    await page.getByRole('button', { name: 'Remove condition 1' }).click()
    expect(await values()).toEqual(['"2024"', 'three'])
    await page.getByLabel('Operator').first().selectOption('regex')
    await page.getByLabel('Value').first().press('End')
    await page.keyboard.type('-')
    await page.getByLabel('Tags').focus()
    await page.keyboard.press('Tab')
    await goTo('JSON')
    const written = JSON.parse((await source.textContent()) ?? '')
    expect(written).toMatchObject({ conditions: [{ operator: 'regex', value: '2024-' }, {}], tags: ['a,b'] })
    await goTo('YAML')
    await source.getByText('operator: regex').waitFor()
    await write('# why\nname: x\nconditions:\n  -\n')
    await goTo('Form')
    expect(await page.getByLabel('Field').inputValue()).toBe('')
    await goTo('YAML')
    await source.getByText('# why').waitFor()
  })

  it('rules of the library are tried together, and subscribed to together', async () => {
    const { page } = visit
    const { rules } = await owner<{ rules: { id: string; name: string }[] }>(
      'GET',
      '/compliance/published-rules?limit=2&sortBy=name&sortOrder=asc',
    )
    await open('library')
    for (const { name } of rules) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    await page.getByRole('button', { name: 'Impact of 2 rules' }).click()
    const dialog = page.getByRole('dialog', { name: 'Impact of 2 rules' })
    await dialog.getByText('All together').waitFor()
    for (const { name } of rules) await dialog.getByRole('cell', { name, exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Subscribe to 2' }).click()
    await page.getByText('Subscribed to 2 rules.').waitFor()
    const { subscriptions } = await owner<{ subscriptions: { ruleId: string }[] }>('GET', '/compliance/subscriptions')
    expect(subscriptions.map(({ ruleId: id }) => id)).toEqual(expect.arrayContaining(rules.map(({ id }) => id)))
  })

  it('a test of a rule is judged at each keystroke, kept, exported, and asked about when it fails', async () => {
    const { page } = visit
    await open(`rules/${ruleId}/edit`)
    const tests = page.getByRole('region', { name: 'Tests' })
    await tests.getByLabel('Use a record as a test').selectOption({ label: 'checkout' })
    await tests.getByText('Not as expected: fails').waitFor()
    await tests.getByText('fails', { exact: true }).click()
    await tests.getByText('As expected', { exact: true }).waitFor()
    await page.reload()
    await tests.getByText('As expected', { exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      tests.getByRole('button', { name: 'Export tests' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('pipelines-name-a-team.plumbline-test.yaml')
    expect(await readFile(await download.path(), 'utf8')).toContain('rule: Pipelines name a team')
    await tests.getByRole('button', { name: 'Add test' }).click()
    await tests.getByText('Not as expected: fails').waitFor()
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('1 test of the rule does not come out as expected.').waitFor()
  })

  it('says that the numbers of a rule with a gate are about the rule alone', async () => {
    const { page } = visit
    const conditions = [{ dependsOnRule: 'Pipelines name a team' }, { field: 'labels.pager', operator: 'exists' }]
    const id = await make({ name: 'Gated', target: 'pipeline', severity: 'error', mode: 'observe', conditions })
    await open(`rules/${id}/edit`)
    await page.getByText('as if it were always asked').waitFor()
    await open(`rules/${ruleId}/edit`)
    await page.getByText('stored entities fail it').waitFor()
    expect(await page.getByText('as if it were always asked').count()).toBe(0)
  })

  it('a person who may not write rules tries one, and is not offered to save it', async () => {
    const { page } = visit
    await withPermissions(page, owner, (each) => each !== 'compliance:write')
    await open('rules/new')
    await page.getByText('You may look at this, not change it.').waitFor()
    expect(await page.getByRole('button', { name: 'Save rule' }).count()).toBe(0)
  })

  it('each number of the table of checks per day leads to as many rows', async () => {
    const { page } = visit
    await open('overview')
    await page.getByRole('button', { name: 'As a table' }).first().click()
    const blocked = page.locator('figure').first().getByRole('row').last().getByRole('cell').nth(1).getByRole('link')
    const count = await blocked.textContent()
    await blocked.click()
    await page.getByText(`1–${count} of ${count}`).waitFor()
    expect(new URL(page.url()).searchParams.get('result')).toBe('block')
  })

  it('a text of a table is whole where there is room', async () => {
    const { page } = visit
    await open('checks')
    const cut = await page
      .locator('td .clip')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
    expect(cut).toBe(0)
  })
})
