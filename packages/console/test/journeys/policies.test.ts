/** A policy gets a new version, and its effect is seen before it is in force: against what is, and against the old one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, type Visit } from '../support/console.js'
import { type Looks, looksOf } from '../support/looks.js'
import { seed } from '../support/seed.js'

interface Policy {
  readonly id: string
  readonly version: string
  readonly isActive: boolean
}

describeConsole('policies', () => {
  let demo: DemoConsole
  let owner: Api
  let looks: Looks
  let first: Policy
  beforeAll(async () => {
    demo = await demoConsole()
    owner = await demo.as('demo-owner')
    await seed(owner)
    const named = { name: 'Pipelines have a name', target: 'pipeline', severity: 'error', mode: 'enforce' }
    await owner('POST', '/compliance/rules', { ...named, field: 'pipelineName', operator: 'exists' })
    const body = { name: 'Release', rules: ['Pipelines have a name'] }
    first = (await owner<{ policy: Policy }>('POST', '/compliance/policies', body)).policy
    looks = await looksOf(demo, 'demo-owner')
  })
  afterAll(() => demo?.stop())

  const versions = async () =>
    (await owner<{ versions: Policy[] }>('GET', `/compliance/policies/${first.id}/versions`)).versions
  const sheetOf = ({ page }: Visit) => page.getByRole('dialog', { name: 'Release' })

  it('a new version begins as a copy, is inactive, and shows its effect; the old one stays in force', async () => {
    const visit = await demo.open({ user: 'demo-owner' })
    const { page } = visit
    await page.goto(`/console/demo/policies?sheet=${first.id}`)
    await page.getByRole('button', { name: 'New version' }).click()
    const form = page.getByRole('dialog', { name: 'New version' })
    expect(await form.getByLabel('Version', { exact: true }).inputValue()).toBe('1.1.0')
    expect(await form.getByLabel('Pipelines have a name').isChecked()).toBe(true)
    // A version that exists is refused, and the form keeps what was typed.
    await form.getByLabel('Version', { exact: true }).fill('1.0.0')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').first().waitFor()
    await form.getByLabel('Version', { exact: true }).fill('1.1.0')
    await form.getByLabel('Pipelines name a team').check()
    await form.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**part=effect**')
    await sheetOf(visit).getByText('Newly failing').first().waitFor()
    expect(await versions()).toMatchObject([
      { version: '1.1.0', isActive: false },
      { id: first.id, version: '1.0.0', isActive: true },
    ])
    expect(visit.complaints.filter((each) => !each.includes('409'))).toEqual([])
    await visit.close()
  })

  it('the versions are listed with their state, and two are compared at an address of its own', async () => {
    const [second] = await versions()
    const visit = await demo.open({ user: 'demo-owner' })
    const { page, complaints } = visit
    await page.goto(`/console/demo/policies?sheet=${second?.id}&part=versions`)
    const table = sheetOf(visit).getByRole('table', { name: 'Versions' })
    await table.getByRole('row', { name: /1\.1\.0 \(this one\) Off 2/ }).waitFor()
    await table.getByRole('row', { name: /1\.0\.0 Active 1/ }).waitFor()
    await table.getByRole('link', { name: 'Compare with 1.0.0' }).click()
    await page.waitForURL(`**against=${first.id}**`)
    await page.reload()
    const sheet = sheetOf(visit)
    await sheet.getByRole('heading', { name: 'Added rules' }).waitFor()
    await sheet.getByRole('link', { name: 'Pipelines name a team' }).waitFor()
    await sheet.getByRole('heading', { name: 'Newly failing' }).waitFor()
    await sheet.getByRole('link', { name: 'checkout' }).or(sheet.getByText(/more/)).first().waitFor()
    await sheet.getByLabel('Compared with').selectOption('What is in force')
    await page.waitForURL((url) => !url.searchParams.has('against'))
    // The old version is one click away, and its changes are in the audit trail.
    await sheet.getByRole('tab', { name: 'Versions' }).click()
    await sheet.getByRole('link', { name: '1.0.0', exact: true }).click()
    await page.waitForURL(`**sheet=${first.id}**`)
    await sheet.getByRole('link', { name: 'In the audit trail' }).click()
    await page.waitForURL(`**/audit?target=${first.id}`)
    expect(complaints).toEqual([])
    await visit.close()
  })

  it('a policy is deleted after a question that says what becomes of its rules', async () => {
    const { policy } = await owner<{ policy: Policy }>('POST', '/compliance/policies', { name: 'Gone', rules: [] })
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto(`/console/demo/policies?sheet=${policy.id}`)
    await page.getByRole('button', { name: 'Delete policy' }).click()
    const question = page.getByRole('dialog', { name: 'Delete policy' })
    await question.getByText('Its rules stay').waitFor()
    expect(await owner('GET', `/compliance/policies/${policy.id}`)).toMatchObject({ policy: { id: policy.id } })
    await question.getByRole('button', { name: 'Delete policy' }).click()
    await page.getByText('The policy is deleted.').waitFor()
    expect(await owner('GET', '/compliance/policies/deleted')).toMatchObject({ policies: [{ id: policy.id }] })
    expect(complaints).toEqual([])
    await close()
  })

  it('an address of a policy that does not exist says so', async () => {
    const visit = await demo.open({ user: 'demo-owner' })
    const missing = '01900000-0000-7000-8000-000000000000'
    await visit.page.goto(`/console/demo/policies?sheet=${missing}`)
    await visit.page.getByRole('alert').first().waitFor()
    await visit.page.goto(`/console/demo/policies?sheet=${first.id}&part=effect&against=${missing}`)
    await sheetOf(visit).getByRole('alert').first().waitFor()
    await visit.close()
  })

  it.each(['rules', 'versions', 'effect'])('its part %s is sound in light, dark and at 320 px', async (part) => {
    const [second] = await versions()
    await looks.at(`policies?sheet=${second?.id}&part=${part}&against=${first.id}`)
  })
})
