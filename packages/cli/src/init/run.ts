/** Runs `plumbline init`. */
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pc from 'picocolors'
import { type CommandRun, ExitCode, type Io } from '../command.js'
import { configNames } from '../config/discover.js'
import { displayPath } from '../input/find-files.js'
import { findRepositoryRoot } from '../input/repository-root.js'
import { createLog } from '../program/log.js'
import { writeTextFile } from '../program/outputs.js'
import { write } from '../program/write.js'
import { count } from '../report/reporter.js'
import type { CiSystem } from './ci-systems.js'
import { findRecords } from './find-records.js'
import { CONFIG_FILE, isStarterFile, type StarterFile, starterFiles } from './starter-files.js'

type Fate = 'write' | 'overwrite' | 'keep'

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const folder = resolve(io.cwd, (invocation.arguments[0] as string | undefined) ?? '.')
  const root = findRepositoryRoot(folder) ?? folder
  const ci = (options.ci as CiSystem | undefined) ?? (await usualCi(root))
  const found = await findRecords(folder, isStarterFile)
  const planned = await plan(starterFiles(ci, found.names), folder, options.force === true)
  const ownConfig = planned.find(({ file, fate }) => fate === 'keep' && configNames.some((name) => name === file.path))
  if (options.dryRun !== true) {
    for (const { file, fate } of planned) if (fate !== 'keep') await writeTextFile(join(folder, file.path), file.text)
  }
  await write(io.stdout, render(planned, folder, options.dryRun === true, io))
  const log = createLog(invocation, io)
  log.note(
    found.names.length === 0
      ? 'no plugin and no pipeline was found here: the examples show what one looks like'
      : `found ${count(found.plugins, 'plugin')} and ${count(found.pipelines, 'pipeline')} in ${found.names.join(', ')}${ownConfig === undefined ? ': they are what `check` checks' : ''}`,
  )
  if (ownConfig !== undefined) {
    log.note(`what \`check\` reads is what \`rules\`, \`tests\` and \`files\` of ${ownConfig.file.path} name`)
  }
  if (planned.some(({ fate }) => fate === 'keep')) log.note('files that exist were kept; --force overwrites them')
  if (options.dryRun === true) return ExitCode.clean
  for (const line of ciNotes(ci, displayPath(root, folder))) log.note(line)
  if (found.names.length > 0) log.note('`plumbline baseline create` accepts what `check` finds today')
  log.note('next: plumbline check, plumbline test, plumbline explain plugin-unprivileged')
  return ExitCode.clean
}

async function usualCi(root: string): Promise<CiSystem> {
  return (await exists(join(root, '.gitlab-ci.yml'))) ? 'gitlab' : 'github'
}

/** What is left to do until the CI file runs. @param inside the folder, from the root of the repository. */
function ciNotes(ci: CiSystem, inside: string): string[] {
  const isRoot = inside === '.'
  if (ci === 'gitlab') {
    const local = isRoot ? '.gitlab/plumbline.yml' : `${inside}/.gitlab/plumbline.yml`
    const change = isRoot
      ? []
      : [`begin its \`script\` with \`cd ${inside}\`, and name ${inside}/plumbline.json in its \`artifacts\``]
    return [`add to .gitlab-ci.yml: include: { local: ${local} }`, ...change]
  }
  if (ci === 'none' || isRoot) return []
  return [
    `GitHub runs workflows at the root of the repository only: move ${inside}/.github/workflows/plumbline.yml to ` +
      `.github/workflows, and add \`defaults: { run: { working-directory: ${inside} } }\` to it`,
  ]
}

async function plan(
  files: readonly StarterFile[],
  folder: string,
  force: boolean,
): Promise<{ readonly file: StarterFile; readonly fate: Fate }[]> {
  const planned: { file: StarterFile; fate: Fate }[] = []
  const otherConfig = await configOfOtherName(folder)
  for (const file of files) {
    if (file.path === CONFIG_FILE && otherConfig !== null) {
      planned.push({ file: { ...file, path: otherConfig }, fate: 'keep' })
      continue
    }
    const fate = !(await exists(join(folder, file.path))) ? 'write' : force ? 'overwrite' : 'keep'
    planned.push({ file, fate })
  }
  return planned
}

/** Two configurations side by side are refused by every command, so that none is written beside another. */
async function configOfOtherName(folder: string): Promise<string | null> {
  for (const name of configNames) if (name !== CONFIG_FILE && (await exists(join(folder, name)))) return name
  return null
}

function render(
  planned: readonly { readonly file: StarterFile; readonly fate: Fate }[],
  folder: string,
  isDryRun: boolean,
  io: Io,
): string {
  const colours = pc.createColors(io.colour)
  const words: Readonly<Record<Fate, string>> = isDryRun
    ? { write: 'would write', overwrite: 'would overwrite', keep: 'would keep' }
    : { write: 'wrote', overwrite: 'overwrote', keep: 'kept' }
  const width = Math.max(...planned.map(({ fate }) => words[fate].length))
  const lines = planned.map(({ file, fate }) => {
    const word = words[fate].padEnd(width)
    const painted = fate === 'keep' ? colours.dim(word) : colours.green(word)
    return `${painted} ${displayPath(io.cwd, join(folder, file.path))}\n`
  })
  return lines.join('')
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
