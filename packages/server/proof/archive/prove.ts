/** Archives against the reader, with everything around it watched. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createArchiveReader } from '../../src/plugin/archive/isolated.js'
import { ARCHIVE_LIMITS } from '../../src/plugin/archive/limits.js'
import { CRAFTED } from '../../test/support/crafted-archives.js'
import { makeZip } from '../../test/support/zip.js'
import { createRandom } from '../world/random.js'
import { mutate } from './mutate.js'

export const MEMORY_GROWTH_KIB_MAX = 64 * 1024

export interface ArchiveReport {
  readonly crafted: number
  readonly mutated: number
  readonly seed: number
  readonly accepted: number
  /** How many archives were refused by each code. */
  readonly refused: Readonly<Record<string, number>>
  readonly memoryGrowthKiB: number
  readonly cpuMsMax: number
  /** Each of them breaks a guarantee. */
  readonly problems: readonly string[]
}

const PLUGIN = [
  { name: 'plugin-spec.yaml', content: 'name: a\nversion: 1.0.0\npluginType: ManualApprovalStep\n' },
  { name: 'docs/guide.md', content: '# Guide\n'.repeat(100) },
  { name: 'src/', method: 0 },
  { name: 'src/run.sh', content: 'echo hello\n', attributes: 0o100755 * 65_536, descriptor: 'marked' as const },
]

export async function proveArchives(wanted: { mutations: number; seed: number }): Promise<ArchiveReport> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-proof-archive-'))
  const target = join(folder, 'target')
  const file = join(folder, 'archive.zip')
  const canary = join(folder, 'evil')
  writeFileSync(canary, 'untouched')
  const reader = createArchiveReader()
  const problems: string[] = []
  const refused: Record<string, number> = {}
  let accepted = 0

  async function run(title: string, bytes: Buffer): Promise<string | null> {
    mkdirSync(target)
    writeFileSync(file, bytes)
    const inspection = await reader.extract(file, ARCHIVE_LIMITS, target)
    const code = inspection.kind === 'plugin' ? null : (inspection.issues[0]?.code ?? 'none')
    if (code === null) accepted += 1
    else refused[code] = (refused[code] ?? 0) + 1
    if (readdirSync(folder).sort().join() !== 'archive.zip,evil,target') problems.push(`${title}: wrote outside`)
    if (readFileSync(canary, 'utf8') !== 'untouched') problems.push(`${title}: changed a file outside`)
    const unpacked = filesIn(target)
    if (unpacked.some(({ isPlain }) => !isPlain)) problems.push(`${title}: made something that is not a file or folder`)
    if (code !== null && unpacked.length > 0) problems.push(`${title}: unpacked what it refused`)
    rmSync(target, { recursive: true })
    return code
  }

  try {
    const good = makeZip(PLUGIN)
    if ((await run('a plugin', good)) !== null) problems.push('a plugin was refused')
    const startKiB = reader.cost.peakKiB
    for (const { title, make, code } of CRAFTED) {
      const found = await run(title, make())
      // Whether it is a plugin too is not the question here.
      if (code !== null && found !== code) problems.push(`${title}: ${found} in place of ${code}`)
    }
    const bases = [good, ...CRAFTED.map(({ make }) => make()).filter(({ length }) => length < 20_000)]
    const random = createRandom(wanted.seed).below
    for (let n = 0; n < wanted.mutations; n++) {
      // Half of them begin as something that is accepted.
      const base = n % 2 === 0 ? good : (bases[random(bases.length)] ?? good)
      await run(`mutation ${n} of seed ${wanted.seed}`, mutate(base, random))
    }
    const memoryGrowthKiB = reader.cost.peakKiB - startKiB
    const { cpuMs } = reader.cost
    if (memoryGrowthKiB > MEMORY_GROWTH_KIB_MAX) problems.push(`memory grew by ${memoryGrowthKiB} KiB`)
    if (cpuMs > ARCHIVE_LIMITS.cpuMsMax) problems.push(`an archive took ${cpuMs} ms`)
    return {
      crafted: CRAFTED.length,
      mutated: wanted.mutations,
      seed: wanted.seed,
      accepted,
      refused,
      memoryGrowthKiB,
      cpuMsMax: Math.round(cpuMs),
      problems,
    }
  } finally {
    reader.close()
    rmSync(folder, { recursive: true })
  }
}

function filesIn(folder: string): { readonly path: string; readonly isPlain: boolean }[] {
  return readdirSync(folder, { recursive: true }).map((name) => {
    const stats = lstatSync(join(folder, String(name)))
    return { path: String(name), isPlain: stats.isFile() || stats.isDirectory() }
  })
}
