/** What a screen offers is what the server allows, and each number is the number of the rows that it leads to. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, type Visit } from '../support/console.js'
import { seed } from '../support/seed.js'

interface Exemption {
  readonly id: string
  readonly status: string
}

describeConsole('decisions', () => {
  let demo: DemoConsole
  let owner: Api
  let admin: Api
  let ruleId = ''
  let pipelineId = ''
  let visit: Visit
  beforeAll(async () => {
    demo = await demoConsole()
    owner = await demo.as('demo-owner')
    admin = await demo.as('demo-admin')
    const seeded = await seed(owner)
    ruleId = seeded.ruleId
    pipelineId = seeded.pipelineId
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
  const ask = async (as: Api, of: string, reason: string) =>
    (
      await as<{ exemption: Exemption }>('POST', '/compliance/exemptions', {
        ...{ ruleId, entityType: 'pipeline', entityId: of, reason },
      })
    ).exemption

  it('a number of the overview leads to as many rows', async () => {
    const { page } = visit
    // A check that the rule only observed counts for neither.
    await owner('PUT', `/compliance/rules/${ruleId}`, { mode: 'observe', reason: 'a trial' })
    const attributes = { project: 'observed', organization: 'acme' }
    await owner('POST', '/compliance/validate/pipeline', { attributes, entityName: 'observed' })
    await owner('PUT', `/compliance/rules/${ruleId}`, { mode: 'enforce' })
    await open('overview')
    const row = page.getByRole('row', { name: /Pipelines name a team/ })
    const count = Number(await row.getByRole('link').last().textContent())
    await row.getByRole('link').last().click()
    await page.getByRole('button', { name: /Remove the filter Violated/ }).waitFor()
    await visit.settled()
    expect(count).toBeGreaterThan(0)
    expect(await page.locator('.pager').textContent()).toContain(`of ${count}`)
  })

  it('each number of a chart of the overview leads to as many checks', async () => {
    const { page } = visit
    await owner('POST', '/compliance/rules', {
      ...{ name: 'Named loosely', target: 'pipeline', severity: 'warning', field: 'labels.loose', operator: 'exists' },
    })
    const attributes = { project: 'warned', organization: 'acme', labels: { team: 'a' } }
    await owner('POST', '/compliance/validate/pipeline', { attributes, entityName: 'warned' })
    for (const title of ['Checks a day', 'Violations a day']) {
      await open('overview')
      const chart = page.getByRole('figure').filter({ hasText: title })
      await chart.getByRole('button', { name: 'As a table' }).click()
      const found = await chart
        .locator('td.num a')
        .evaluateAll((all) => all.map((each) => [each.getAttribute('href') ?? '', Number(each.textContent)] as const))
      expect(found.length).toBeGreaterThan(1)
      for (const [address, count] of found) {
        await visit.go(address)
        await visit.settled()
        expect(await page.locator('.pager').textContent(), address).toContain(`of ${count}`)
      }
    }
  })

  it('a rule that is no longer enforced is saved with the reason that the server wants', async () => {
    const { page } = visit
    await open(`rules/${ruleId}/edit`)
    await page.getByLabel('Observe').click()
    await page.getByRole('button', { name: 'Save rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'The rule will no longer be enforced' })
    expect(await dialog.getByRole('button', { name: 'Save rule' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Why it is no longer enforced').fill('The teams are being named')
    await dialog.getByRole('button', { name: 'Save rule' }).click()
    await page.waitForURL(`**/rules/${ruleId}`)
    const rule = async () => (await owner<{ rule: { mode: string } }>('GET', `/compliance/rules/${ruleId}`)).rule
    expect(await rule()).toMatchObject({ mode: 'observe' })
    await owner('PUT', `/compliance/rules/${ruleId}`, { mode: 'enforce' })
  })

  it('a reviewer begins with what waits for them, with names; who writes rules alone is offered no decision', async () => {
    const { page } = visit
    const { pipelines } = await owner<{ pipelines: { id: string; pipelineName: string }[] }>('GET', '/pipelines')
    const [mine, theirs] = [pipelines[0], pipelines[1]]
    await ask(owner, mine?.id ?? '', 'mine')
    const asked = await ask(admin, theirs?.id ?? '', 'theirs')
    await open('exemptions')
    await page.getByRole('cell', { name: 'demo-admin' }).waitFor()
    expect(await page.locator('.pager').textContent()).toContain('of 1')
    await page.getByRole('radio', { name: 'All' }).check({ force: true })
    await page.getByText('of 2').waitFor()
    const members = await owner<{ members: { id: string; username: string }[] }>(
      'GET',
      `/organization/${(await owner<{ organization: { id: string } }>('GET', '/auth/me')).organization.id}/members`,
    )
    const member = members.members.find(({ username }) => username === 'demo-member')
    await owner('PUT', `/compliance/roles/${member?.id}`, { role: 'editor' })
    const editor = await demo.open({ user: 'demo-member' })
    await editor.page.goto(`/console/demo/exemptions?sheet=${asked.id}`)
    const sheet = editor.page.getByRole('dialog')
    await sheet.getByText('To decide, you need').waitFor()
    for (const name of ['Approve', 'Reject', 'Revoke'])
      expect(await sheet.getByRole('button', { name }).count()).toBe(0)
    await editor.close()
  })

  it('a stored record is judged again, and each warning stands there once', async () => {
    const { page } = visit
    await owner('POST', '/compliance/rules', {
      ...{
        name: 'Pipelines have keywords',
        target: 'pipeline',
        severity: 'warning',
        field: 'tags',
        operator: 'notEmpty',
      },
    })
    await open(`pipelines/${pipelineId}`)
    await page.getByRole('button', { name: 'Check again' }).click()
    const sheet = page.getByRole('dialog', { name: 'What the rules say' })
    await sheet.getByRole('link', { name: 'Pipelines have keywords' }).waitFor()
    expect(await sheet.getByRole('link', { name: 'Pipelines have keywords' }).count()).toBe(1)
  })

  it('a member is offered no deletion of what others own', async () => {
    const member = await demo.open({ user: 'demo-member' })
    await member.page.goto(`/console/demo/pipelines/${pipelineId}`)
    await member.page.getByRole('button', { name: 'Check again' }).waitFor()
    expect(await member.page.getByRole('button', { name: 'Delete pipeline' }).count()).toBe(0)
    await member.close()
    await open(`pipelines/${pipelineId}`)
    await visit.page.getByRole('button', { name: 'Delete pipeline' }).waitFor()
  })

  it('rows are reached, selected and asked for by single keys, and a group leads to its rows', async () => {
    const { page } = visit
    await open('findings?state=open&group=owner')
    await page.getByRole('link', { name: 'demo-owner' }).click()
    await page.getByRole('button', { name: 'Remove the filter Owner: demo-owner' }).waitFor()
    await visit.settled()
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'One reason for all' }).waitFor()
  })

  it('subscriptions are switched many at once, and one that is no longer enforced asks why', async () => {
    const { page } = visit
    const { rules } = await owner<{ rules: { id: string; name: string; lockedBy: string | null }[] }>(
      'GET',
      '/compliance/published-rules?limit=2',
    )
    expect(rules.map(({ lockedBy }) => lockedBy)).toEqual([null, null])
    for (const { id } of rules) await owner('POST', '/compliance/subscriptions', { ruleId: id })
    await open('library?tab=mine')
    for (const { name } of rules) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('button', { name: 'Switch 2 on' }).click()
    await page.getByText('2 switched, 0 refused').waitFor()
    const first = rules[0]?.id ?? ''
    await owner('PATCH', `/compliance/subscriptions/${first}`, { mode: 'enforce' })
    await open(`library?tab=mine&sheet=${first}`)
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Observe').click()
    await sheet.getByLabel('Why it is no longer enforced').fill('a trial')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The subscription is changed.').waitFor()
    const { subscriptions } = await owner<{ subscriptions: { ruleId: string; mode: string; isActive: boolean }[] }>(
      'GET',
      '/compliance/subscriptions',
    )
    const isOn = (id: string) => subscriptions.find(({ ruleId: each }) => each === id)?.isActive
    expect(rules.map(({ id }) => isOn(id))).toEqual([true, true])
    expect(subscriptions.find(({ ruleId: id }) => id === first)?.mode).toBe('observe')
  })
})
