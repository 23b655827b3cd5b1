/** Uploading plugins and writing pipelines: validated without storing, refused problem by problem, then stored. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeZip } from '../../../server/test/support/zip.js'
import {
  type Api,
  type DemoConsole,
  demoConsole,
  describeConsole,
  faultsOf,
  withPermissions,
} from '../support/console.js'
import { looksOf } from '../support/looks.js'

/** What the browser itself says of a request that the server refuses, as it should here. */
const REFUSED = /status of 40[03]/

const yaml = (text: string) => ({ name: 'text.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) })

const pipeline = (project: string, more = '') => `project: ${project}
organization: acme
${more}props:
  synth:
    source: {type: github, options: {repo: acme/web, branch: main}}
    plugin: {name: synth}
`

describeConsole('the catalogue', () => {
  let demo: DemoConsole
  let owner: Api
  const pipelinesOf = async (q: string) =>
    (await owner<{ pipelines: { id: string; description: string }[] }>('GET', `/pipelines?isActive=all&q=${q}`))
      .pipelines
  const pluginsOf = async (q: string) =>
    (await owner<{ plugins: { version: string }[] }>('GET', `/plugins?isActive=all&q=${q}`)).plugins

  beforeAll(async () => {
    demo = await demoConsole()
    owner = await demo.as('demo-owner')
    await owner('POST', '/compliance/rules', {
      ...{ name: 'pipelines-are-described', target: 'pipeline', severity: 'error', mode: 'enforce' },
      ...{ field: 'description', operator: 'notEmpty', description: 'A description makes it easy to find.' },
    })
  })
  afterAll(() => demo?.stop())

  it('a plugin is validated line by line before anything is stored, corrected in place, and uploaded', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/plugins')
    await page.getByRole('button', { name: 'Upload plugin' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Files that I write or paste').click()
    const wrong = 'name: shop-lint\nversion: 1.0.0\nkeywords: [lint]\ncommands: 7\nfoo: bar\n'
    await dialog.getByLabel('Fill in from a file').setInputFiles(yaml(wrong))
    await dialog.getByRole('button', { name: 'Validate', exact: true }).click()
    await dialog.getByText('plugin-spec.yaml:4:1').waitFor()
    await dialog.getByText('plugin-spec.yaml:5:1').waitFor()
    expect(await faultsOf(page)).toEqual([])
    // What was typed is still there, and the editor marks both lines.
    await dialog.getByText('commands: 7').waitFor()
    expect(await dialog.locator('.cm-lint-marker-error').count()).toBe(2)
    const right = 'name: shop-lint\nversion: 1.0.0\nkeywords: [lint]\ncommands: [npm run lint]\n'
    await dialog.getByLabel('Fill in from a file').setInputFiles(yaml(right))
    await dialog.getByRole('button', { name: 'Validate again' }).click()
    await dialog.getByText('shop-lint 1.0.0 can be uploaded').waitFor()
    expect(await pluginsOf('shop-lint')).toEqual([])
    await dialog.getByRole('button', { name: 'Upload plugin' }).click()
    await page.getByRole('dialog', { name: 'shop-lint 1.0.0 is uploaded.' }).waitFor()
    await page.getByRole('link', { name: 'See the plugin' }).click()
    await page.getByRole('heading', { level: 1, name: 'shop-lint 1.0.0' }).waitFor()
    expect(await pluginsOf('shop-lint')).toMatchObject([{ version: '1.0.0' }])
    expect(complaints.filter((each) => !REFUSED.test(each))).toEqual([])
    await close()
  })

  it('an upload says how much is sent, and one that is stopped stores nothing', async () => {
    const { page, context, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/plugins')
    await page.getByRole('button', { name: 'Upload plugin' }).click()
    const dialog = page.getByRole('dialog')
    const files = [
      { name: 'plugin-spec.yaml', content: 'name: shop-large\nversion: 1.0.0\ncommands: [large]\n' },
      { name: 'config.yaml', content: 'buildType: metadata_only\n' },
      { name: 'large.txt', content: 'a line of a large file\n'.repeat(100_000), method: 0 },
    ]
    const buffer = makeZip(files)
    await dialog.getByLabel('ZIP archive').setInputFiles({ name: 'large.zip', mimeType: 'application/zip', buffer })
    const network = await context.newCDPSession(page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 }
    await network.send('Network.emulateNetworkConditions', slow)
    await dialog.getByRole('button', { name: 'Upload plugin' }).click()
    await dialog.getByText(/\d(\.\d)? [kM]?B of 2\.\d MB sent/).waitFor()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    expect(await dialog.getByRole('alert').count()).toBe(0)
    expect(await pluginsOf('shop-large')).toEqual([])
    await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await dialog.getByRole('button', { name: 'Upload plugin' }).click()
    await page.getByRole('dialog', { name: 'shop-large 1.0.0 is uploaded.' }).waitFor()
    expect(await pluginsOf('shop-large')).toHaveLength(1)
    await close()
  })

  it('a pipeline is written, validated by line and by the rules, created and edited', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/pipelines')
    await page.getByRole('link', { name: 'New pipeline' }).click()
    await page.getByText('name: node-build').waitFor()
    expect(await faultsOf(page)).toEqual([])
    const file = page.getByLabel('Fill in from a file')
    await file.setInputFiles(yaml('project: [web\n'))
    await page.getByText('1 problem', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Validate' }).getAttribute('aria-disabled')).toBe('true')
    // The schema, by line.
    await file.setInputFiles(yaml(pipeline('shop-web', 'lifecycle: old\nkeywords: 7\n')))
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('2 problems', { exact: true }).waitFor()
    for (const place of ['3:1', '4:1']) await page.getByText(place, { exact: true }).waitFor()
    // The rules, with their reason. A refused create keeps the text.
    await file.setInputFiles(yaml(pipeline('shop-web')))
    await page.getByRole('button', { name: 'Validate again' }).click()
    await page.getByText('shop-web would be refused').waitFor()
    await page.getByRole('link', { name: 'pipelines-are-described' }).waitFor()
    await page.getByRole('button', { name: 'Create pipeline' }).click()
    await page.getByText('A rule blocks the change').waitFor()
    expect(await page.getByRole('link', { name: 'See the recorded check' }).getAttribute('href')).toMatch(
      /checks\?sheet=/,
    )
    await page.getByText('project: shop-web').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await file.setInputFiles(yaml(pipeline('shop-web', 'description: Ships the shop\n')))
    await page.getByRole('button', { name: 'Validate again' }).click()
    await page.getByText('shop-web would be created').waitFor()
    expect(await pipelinesOf('shop-web')).toEqual([])
    await page.getByRole('button', { name: 'Create pipeline' }).click()
    await page.getByRole('heading', { level: 1, name: 'acme-shop_web-pipeline' }).waitFor()
    const [made] = await pipelinesOf('shop-web')
    expect(made).toMatchObject({ description: 'Ships the shop' })

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByText('description: Ships the shop').waitFor()
    await file.setInputFiles(yaml(pipeline('shop-web', 'description: Ships all of the shop\n')))
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('shop-web would be changed').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The pipeline is saved.').waitFor()
    expect(await pipelinesOf('shop-web')).toMatchObject([{ id: made?.id, description: 'Ships all of the shop' }])
    await page.goto(`/console/demo/pipelines/${made?.id}?tab=revisions`)
    await page.getByRole('button', { name: 'Compare with the one before' }).first().click()
    await page.getByRole('dialog').getByText('Ships all of the shop').waitFor()
    expect(complaints.filter((each) => !REFUSED.test(each))).toEqual([])
    await close()
  })

  it('a change of the same pipeline by another person is not overwritten, and the text stays', async () => {
    const { pipeline: made } = await owner<{ pipeline: { id: string } }>('POST', '/pipelines', {
      ...{ project: 'shop-both', organization: 'acme', description: 'One' },
      props: {
        synth: { source: { type: 'github', options: { repo: 'acme/web', branch: 'main' } }, plugin: { name: 'synth' } },
      },
    })
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto(`/console/demo/pipelines/${made.id}/edit`)
    await page.getByText('description: One').waitFor()
    await owner('PUT', `/pipelines/${made.id}`, { description: 'Two' })
    await page.getByLabel('Fill in from a file').setInputFiles(yaml(pipeline('shop-both', 'description: Mine\n')))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody changed it meanwhile').waitFor()
    await page.getByText('description: Mine').waitFor()
    expect(await pipelinesOf('shop-both')).toMatchObject([{ description: 'Two' }])
    await close()
  })

  it('a list of pipelines is created in one request, and what is refused is named', async () => {
    const item = (project: string, more: string) =>
      pipeline(project, more)
        .trimEnd()
        .split('\n')
        .map((line, index) => `${index === 0 ? '- ' : '  '}${line}\n`)
        .join('')
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/pipelines/new')
    const list = item('shop-one', 'description: One\n') + item('shop-two', '') + item('shop-three', 'keywords: 7\n')
    await page.getByLabel('Fill in from a file').setInputFiles(yaml(list))
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('shop-one would be created').waitFor()
    await page.getByText('shop-two would be refused').waitFor()
    await page.getByText('16:3', { exact: true }).waitFor()
    expect(await pipelinesOf('shop-one')).toEqual([])
    await page.getByRole('button', { name: 'Create 3 pipelines' }).click()
    await page.getByText('2 of 3 were refused').waitFor()
    await page.getByText('16:3', { exact: true }).waitFor()
    expect(await pipelinesOf('shop-one')).toHaveLength(1)
    expect(await pipelinesOf('shop-two')).toEqual([])
    expect(await faultsOf(page)).toEqual([])
    expect(complaints.filter((each) => !REFUSED.test(each))).toEqual([])
    await close()
  })

  it('a deleted template can be restored', async () => {
    await owner('POST', '/pipeline-templates', {
      name: 'Shop template',
      props: {
        synth: { source: { type: 'github', options: { repo: 'acme/web', branch: 'main' } }, plugin: { name: 'synth' } },
      },
    })
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/pipelines?tab=templates&q=Shop')
    await page.getByRole('button', { name: 'Delete template Shop template' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click()
    await page.getByText('The template is deleted.').waitFor()
    await page.getByRole('tab', { name: 'Deleted templates' }).click()
    await page.getByRole('cell', { name: 'Shop template' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    const { templates } = await owner<{ templates: unknown[] }>('GET', '/pipeline-templates/deleted')
    expect(templates).toMatchObject([{ name: 'Shop template' }])
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    await close()
  })

  it('who may only read is not offered to write', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await withPermissions(page, owner, (each) => each !== 'pipelines:write')
    await page.goto('/console/demo/pipelines/new')
    await page.getByText('You may look at this, not change it.').waitFor()
    await page.goto('/console/demo/pipelines')
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('link', { name: 'New pipeline' }).count()).toBe(0)
    await close()
  })

  it('the editor is sound in light, dark and at 320 px', async () => {
    const looks = await looksOf(demo, 'demo-owner')
    const [made] = await pipelinesOf('shop-web')
    await looks.at(`pipelines/${made?.id}/edit`)
  })
})
