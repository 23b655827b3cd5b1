/**
 * The pictures of the guide. CI takes each of them from the demo, and checks that every picture is on a page and every
 * page shows pictures that exist. `PLUMBLINE_PICTURES=write` stores them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoConsole, demoConsole, describeConsole, type Visit } from '../support/console.js'

const guide = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url))
const folder = join(guide, 'pictures')
const SIZE = { width: 1280, height: 800 }

interface Picture {
  /** The file, without its ending. */
  readonly name: string
  readonly path: string
  /** The page of the guide that shows it. */
  readonly on: string
  reach?(page: Page): Promise<unknown>
}

const openFirst = (page: Page) => page.locator('tbody a').first().click()

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: 'overview', on: 'console-for-developers.md' },
  { name: 'blocked', path: 'checks?result=block', on: 'console-for-developers.md', reach: openFirst },
  { name: 'findings', path: 'findings?group=rule', on: 'console-for-reviewers.md' },
  { name: 'rule-editor', path: 'rules/RULE/edit', on: 'console-for-reviewers.md' },
  { name: 'audit-trail', path: 'audit', on: 'console-for-auditors.md' },
  { name: 'system', path: 'system', on: 'console-for-operators.md' },
]

/** Width and height as the head of a PNG has them. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

describeConsole('pictures of the guide', () => {
  let demo: DemoConsole
  let visit: Visit
  let ruleId = ''
  beforeAll(async () => {
    demo = await demoConsole({
      superAdmin: 'demo-owner',
      settings: { PLUMBLINE_DEMO_HISTORY: 'true', LIMITER_MAX: '0' },
    })
    const owner = await demo.as('demo-owner')
    const { rules } = await owner<{ rules: { id: string }[] }>('GET', '/compliance/rules?limit=1')
    ruleId = rules[0]?.id ?? ''
    visit = await demo.open({ user: 'demo-owner', ...SIZE })
  })
  afterAll(() => demo?.stop())

  it.each(PICTURES)('$name', async ({ name, path, reach }) => {
    const { page, complaints } = visit
    await page.goto(`/console/demo/${path.replace('RULE', ruleId)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await visit.settled()
    await reach?.(page)
    await visit.settled()
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    expect(sizeOf(png)).toEqual(SIZE)
    // A page that shows nothing is far smaller.
    expect(png.length).toBeGreaterThan(20_000)
    expect(complaints).toEqual([])
    if (process.env.PLUMBLINE_PICTURES !== 'write') return
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.png`), png)
  })

  it('are those that the pages show', () => {
    const shown = PICTURES.flatMap(({ name, on }) =>
      readFileSync(join(guide, on), 'utf8').includes(`](pictures/${name}.png)`) ? [`${name}.png`] : [],
    )
    expect(shown).toEqual(PICTURES.map(({ name }) => `${name}.png`))
    expect(readdirSync(folder).sort()).toEqual(shown.sort())
  })
})
