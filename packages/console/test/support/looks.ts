/**
 * Checks a screen in light, in dark, in forced colours, with text of twice the size and on a narrow phone: no violation
 * of WCAG 2.2 AA, no browser error, no text that is cut off, no horizontal scrolling.
 */
import { expect } from 'vitest'
import { type DemoConsole, faultsOf, type Visit } from './console.js'

const NARROW = 320

export interface Looks {
  /** Opens the address in each look, runs `reach` to get to the state, and checks it. */
  at(path: string, reach?: (visit: Visit) => Promise<unknown>): Promise<void>
}

export async function looksOf(demo: DemoConsole, user: string): Promise<Looks> {
  const visits = new Map<string, Visit>()
  for (const scheme of ['light', 'dark'] as const) visits.set(scheme, await demo.open({ user, scheme }))
  visits.set('phone', await demo.open({ user, width: NARROW, height: 640 }))
  return {
    async at(path, reach) {
      for (const [name, visit] of visits) {
        const { page, complaints } = visit
        await page.goto(`/console/demo/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await visit.settled()
        await reach?.(visit)
        await visit.settled()
        expect(await faultsOf(page), `${path} ${name}`).toEqual([])
        expect(complaints, `${path} ${name}`).toEqual([])
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        if (name === 'phone') expect(width, `${path} scrolls sideways`).toBeLessThanOrEqual(NARROW)
        if (name === 'light') await judgeForcedAndLarge(page, path)
      }
    },
  }
}

/** Only contrast can change in forced colours; only room can be missing for larger text. */
async function judgeForcedAndLarge(page: Visit['page'], path: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await faultsOf(page, ['color-contrast']), `${path} in forced colours`).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
  const large = await page.evaluate(() => {
    const { style } = document.documentElement
    style.fontSize = '200%'
    const isCut = (element: Element): boolean => {
      const { overflowY } = getComputedStyle(element)
      return overflowY !== 'visible' && overflowY !== 'auto' && element.scrollHeight > element.clientHeight + 1
    }
    const cut = [...document.querySelectorAll('button, a, label, h1, h2, h3, td, th, dt, dd, .badge')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr') && isCut(element))
      .map((element) => element.outerHTML.slice(0, 120))
    const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth
    style.fontSize = ''
    return { cut, beyond }
  })
  expect(large, `${path} with text of 200 %`).toEqual({ cut: [], beyond: 0 })
}
