/** Every screen of the table of sections: no fault to WCAG 2.2 AA in light and dark, no sideways scroll at 320 px, no complaint. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECTIONS } from '../../src/app/sections.js'
import { type DemoConsole, demoConsole, describeConsole, faultsOf, type Visit } from '../support/console.js'
import { seed } from '../support/seed.js'

const lists = SECTIONS.flatMap(({ routes }) => Object.keys(routes)).filter((path) => !path.includes('$'))

describeConsole('every screen', () => {
  let demo: DemoConsole
  let one: readonly string[] = []
  const visits = new Map<string, Visit>()
  beforeAll(async () => {
    demo = await demoConsole()
    const { ruleId, pipelineId, scanId } = await seed(await demo.as('demo-owner'))
    one = [`rules/${ruleId}`, `rules/${ruleId}/edit`, `pipelines/${pipelineId}`, `scans/${scanId}`]
    for (const scheme of ['light', 'dark'] as const) visits.set(scheme, await demo.open({ user: 'demo-owner', scheme }))
    visits.set('phone', await demo.open({ user: 'demo-owner', width: 320, height: 640 }))
  })
  afterAll(() => demo?.stop())

  const look = async (name: string, path: string) => {
    const { page, complaints } = visits.get(name) as Visit
    await page.goto(`/console/demo/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page
      .locator('.skeleton')
      .waitFor({ state: 'detached' })
      .catch(() => undefined)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    return { width, faults: await faultsOf(page), complaints: [...complaints] }
  }

  it.each(lists)('%s', async (path) => {
    for (const name of visits.keys()) {
      const { width, faults, complaints } = await look(name, path)
      expect(faults, `${path} ${name}`).toEqual([])
      expect(complaints, `${path} ${name}`).toEqual([])
      if (name === 'phone') expect(width, `${path} scrolls sideways`).toBeLessThanOrEqual(320)
    }
  })

  it('one rule, its editor, one pipeline, one scan', async () => {
    for (const path of one)
      for (const name of visits.keys()) {
        const { width, faults, complaints } = await look(name, path)
        expect(faults, `${path} ${name}`).toEqual([])
        expect(complaints, `${path} ${name}`).toEqual([])
        if (name === 'phone') expect(width, `${path} scrolls sideways`).toBeLessThanOrEqual(320)
      }
  })
})
