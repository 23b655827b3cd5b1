/** A build waits, its log grows on the page, it is cancelled, and the API shows it as cancelled. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeZip } from '../../../server/test/support/zip.js'
import { type Api, type DemoConsole, demoConsole, describeConsole, withPermissions } from '../support/console.js'
import { type Looks, looksOf } from '../support/looks.js'

// No builder runs here, so a build waits as long as the journey needs.
const SETTINGS = { PLUGIN_BUILDER: 'remote', LIMITER_MAX: '0' }
const ARCHIVE = [
  {
    name: 'plugin-spec.yaml',
    content: 'name: shop-image\nversion: 1.0.0\ncategory: quality\ncommands: [npm run lint]\n',
  },
  { name: 'config.yaml', content: 'buildType: build_image\n' },
  { name: 'Dockerfile', content: 'FROM debian:12\nRUN echo made\n' },
]

interface Builds {
  readonly builds: readonly { jobId: string; state: string; pluginName: string }[]
}

describeConsole('builds', () => {
  let demo: DemoConsole
  let owner: Api
  let jobId = ''
  beforeAll(async () => {
    demo = await demoConsole({ settings: SETTINGS })
    owner = await demo.as('demo-owner')
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/plugins')
    await page.getByRole('button', { name: 'Upload plugin' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('ZIP archive')
      .setInputFiles({ name: 'shop-image.zip', mimeType: 'application/zip', buffer: makeZip(ARCHIVE) })
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await dialog.getByRole('button', { name: 'Upload plugin' }).click()
    expect((await answered).ok()).toBe(true)
    await close()
    jobId = (await owner<Builds>('GET', '/plugins/builds')).builds[0]?.jobId ?? ''
  })
  afterAll(() => demo?.stop())

  describe('is sound in light, dark and at 320 px', () => {
    let looks: Looks
    beforeAll(async () => {
      looks = await looksOf(demo, 'demo-owner')
    })
    it.each(['builds', 'queue', 'failed', 'dead'])('%s', (tab) => looks.at(`builds?tab=${tab}`))
  })

  it('the log grows in the page, and a cancelled build is cancelled for the API', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    const pieces = ['FROM debian:12\n', 'RUN <b>echo</b> made\n']
    const events = pieces.map((text, at) => `id: ${at + 1}\nevent: log\ndata: ${JSON.stringify({ text })}\n\n`)
    await page.route('**/logs', (route) => route.fulfill({ contentType: 'text/event-stream', body: events.join('') }))
    await page.goto('/console/demo/builds')
    await page.getByRole('link', { name: 'shop-image 1.0.0' }).click()
    // The output of a build is shown as text, even if it looks like markup.
    await page.getByLabel('Log', { exact: true }).getByText('RUN <b>echo</b> made').waitFor()
    await page.getByRole('button', { name: 'Cancel build' }).click()
    await page.getByText('The build is cancelled.').waitFor()
    const { build } = await owner<{ build: { state: string } }>('GET', `/plugins/builds/${jobId}`)
    expect(build.state).toBe('cancelled')
    await page.getByRole('button', { name: 'Cancel build' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await close()
  })

  it('without a permission to change, only the list is there; images without a registry are named by the setting that adds them', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await withPermissions(page, owner, (each) => each !== 'plugins:write' && each !== 'plugins:publish')
    await page.goto('/console/demo/builds')
    await page.getByRole('tab', { name: 'Builds' }).waitFor()
    expect(await page.getByRole('tab').count()).toBe(1)
    await page.goto('/console/demo/images')
    await page.getByText('REGISTRY_URL').waitFor()
    await close()
  })
})
