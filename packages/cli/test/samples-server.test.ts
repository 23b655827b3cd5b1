/**
 * Applies the shipped samples unchanged to a real server: each is accepted, a second run changes nothing, and the rules
 * of the server give the same verdicts as the gate.
 */
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, PERSON, type PersonServer, personServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

interface Outcome {
  readonly kind: string
  readonly name: string
  readonly action: string
  readonly error: { readonly message: string; readonly code?: string; readonly details?: unknown } | null
}

const samples = fileURLToPath(new URL('../../../samples/', import.meta.url))
const isRefused = (file: string) => file.startsWith('refused-')
const filesOf = (folder: string) => readdirSync(join(samples, folder)).sort()

let server: PersonServer
beforeAll(async () => {
  server = await personServer()
  cpSync(samples, join(server.folder, 'samples'), { recursive: true })
  await cli(['login'], `${PERSON}\n${PASSWORD}\n`)
})
afterAll(() => remove(server))

const cli = (argv: string[], stdin?: string) =>
  runCli(argv, { env: server.env, cwd: server.folder, now: new Date(), ...(stdin === undefined ? {} : { stdin }) })

async function apply(folder: string, files: readonly string[]): Promise<{ code: number; outcomes: Outcome[] }> {
  const named = files.flatMap((file) => [`samples/${folder}/${file}`])
  const { code, stdout, stderr } = await cli(['apply', ...named, '--format', 'json'])
  if (stdout === '') throw new Error(stderr)
  return { code, outcomes: JSON.parse(stdout) }
}

/** The exit code, and the documents with another outcome than this action. */
const told = ({ code, outcomes }: Awaited<ReturnType<typeof apply>>, action: string) => ({
  code,
  others: outcomes.filter((each) => each.action !== action).map(({ name, action, error }) => ({ name, action, error })),
})
const well = { code: 0, others: [] }

describe.each([
  ['plugins', 14],
  ['pipelines', 5],
])('the sample %s', (folder, count) => {
  const files = filesOf(folder).filter((file) => !isRefused(file))

  it('are created, and a second time nothing changes', async () => {
    const first = await apply(folder, files)
    expect(first.outcomes).toHaveLength(count)
    expect(told(first, 'created')).toEqual(well)
    expect(told(await apply(folder, files), 'unchanged')).toEqual(well)
  })

  it('that are named so are refused, with the field that is wrong', async () => {
    const refused = filesOf(folder).filter(isRefused)
    expect(refused.length).toBeGreaterThan(0)
    for (const file of refused) {
      const { code, outcomes } = await apply(folder, [file])
      expect({ code, outcomes }, file).toMatchObject({
        code: 2,
        outcomes: [{ action: 'failed', error: { code: 'VALIDATION_ERROR', details: { issues: expect.anything() } } }],
      })
    }
  })
})

describe('the sample rules', () => {
  it('are created, and a second time nothing changes', async () => {
    const files = filesOf('rules')
    const first = await apply('rules', files)
    expect(first.outcomes).toHaveLength(75)
    expect(told(first, 'created')).toEqual(well)
    expect(told(await apply('rules', files), 'unchanged')).toEqual(well)
  })
})
