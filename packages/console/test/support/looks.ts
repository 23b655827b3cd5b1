/**
 * Checks a screen in light, in dark, in forced colours, with text of twice the size and on a narrow phone: no violation
 * of WCAG 2.2 AA, no browser error, no text that is cut off, no horizontal scrolling.
 */
import { expect } from 'vitest'
import { type DemoConsole, faultsOf, type Visit } from './console.js'

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 320, height: 640 }

export interface Looks {
  /** Opens the address in each look, runs `reach` to get to the state, and checks it. */
  at(path: string, reach?: (visit: Visit) => Promise<unknown>): Promise<void>
}

export async function looksOf(demo: DemoConsole, user: string): Promise<Looks> {
  const visit = await demo.open({ user })
  const { page, complaints } = visit
  // What a state opened, such as a dialog, may stay when a link is followed.
  let isAsOpened = true
  return {
    async at(path, reach) {
      await page.setViewportSize(WIDE)
      const address = `/console/demo/${path}`
      await (isAsOpened && reach === undefined ? visit.go(address) : page.goto(address))
      isAsOpened = reach === undefined
      await page.getByRole('heading', { level: 1 }).waitFor()
      await visit.settled()
      // Not the page for signing in.
      expect(new URL(page.url()).pathname).toBe(`/console/demo/${path.split('?')[0]}`)
      await reach?.(visit)
      await visit.settled()
      expect(await faultsOf(page), `${path} in light`).toEqual([])
      await judgeColoursAndLarge(page, path)
      await page.setViewportSize(NARROW)
      await visit.settled()
      expect(await faultsOf(page), `${path} on a phone`).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, `${path} scrolls sideways`).toBeLessThanOrEqual(NARROW.width)
      expect(complaints, path).toEqual([])
    },
  }
}

/** Only contrast can change with the colours; only room can be missing for larger text. */
async function judgeColoursAndLarge(page: Visit['page'], path: string): Promise<void> {
  await repainted(page, { colorScheme: 'dark' })
  expect(await faultsOf(page, ['color-contrast']), `${path} in dark`).toEqual([])
  await repainted(page, { colorScheme: 'light', forcedColors: 'active' })
  expect(await faultsOf(page, ['color-contrast']), `${path} in forced colours`).toEqual([])
  await repainted(page, { forcedColors: 'none' })
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

/** Changes the colours, and waits until all elements have them: one that inherits its colour follows a frame later. */
async function repainted(page: Visit['page'], media: Parameters<Visit['page']['emulateMedia']>[0]): Promise<void> {
  await page.emulateMedia(media)
  await page.evaluate(async () => {
    // More frames than elements are nested.
    for (let frame = 0, quiet = 0; frame < 60 && quiet < 5; frame++) {
      await new Promise(requestAnimationFrame)
      quiet = document.getAnimations().some((each) => each instanceof CSSTransition) ? 0 : quiet + 1
    }
  })
}
