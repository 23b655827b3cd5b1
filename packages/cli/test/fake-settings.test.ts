/** The pages start a server with what a fake provider prints. A shell has to hand it over as it was printed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeCard, startFakeMarketplace } from '@plumbline/server'
import { expect, it } from 'vitest'

const FAKES = [
  ['billing-story.md', 'card.env', () => startFakeCard({ port: 0, shape: 'new', webhookUrl: 'http://127.0.0.1:9/' })],
  [
    'marketplace-story.md',
    'marketplace.env',
    () => startFakeMarketplace({ port: 0, endpoint: 'http://127.0.0.1:9/', version: '2' }),
  ],
] as const

it.each(FAKES)('%s starts the server with what is in %s', async (page, file, start) => {
  const text = readFileSync(new URL(`../../../docs/guide/${page}`, import.meta.url), 'utf8')
  const line = text.split('\n').find((each) => each.includes(file) && each.endsWith('npm start')) ?? ''
  expect(line).toMatch(/^\$ /)
  const fake = await start()
  const folder = mkdtempSync(join(tmpdir(), 'fake-settings-'))
  try {
    const printed = Object.entries(fake.settings).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(join(folder, file), printed.join(''))
    const script = line.slice(2).replace('npm start', 'env -0')
    const given = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })
    const env = Object.fromEntries(
      given.split('\0').map((each) => [each.split('=')[0], each.slice(each.indexOf('=') + 1)]),
    )
    expect(env).toMatchObject(fake.settings)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await fake.close()
  }
})
