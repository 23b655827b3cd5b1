/**
 * Every screen in the table of sections: no violation of WCAG 2.2 AA in light and dark, no horizontal scrolling at 320
 * px, no error in the browser.
 */
import { afterAll, beforeAll, it } from 'vitest'
import { SECTIONS } from '../../src/app/sections.js'
import { type DemoConsole, demoConsole, describeConsole } from '../support/console.js'
import { type Looks, looksOf } from '../support/looks.js'
import { seed } from '../support/seed.js'

const lists = SECTIONS.flatMap(({ routes }) => Object.keys(routes)).filter((path) => !path.includes('$'))

describeConsole('every screen', () => {
  let demo: DemoConsole
  let looks: Looks
  let one: readonly string[] = []
  beforeAll(async () => {
    demo = await demoConsole()
    const { ruleId, pipelineId, scanId } = await seed(await demo.as('demo-owner'))
    one = [`rules/${ruleId}`, `rules/${ruleId}/edit`, `pipelines/${pipelineId}`, `scans/${scanId}`]
    looks = await looksOf(demo, 'demo-owner')
  })
  afterAll(() => demo?.stop())

  it.each(lists)('%s', (path) => looks.at(path))

  it('one rule, its editor, one pipeline, one scan', async () => {
    for (const path of one) await looks.at(path)
  })
})
