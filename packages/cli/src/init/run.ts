/** Runs `plumbline init`. */
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pc from 'picocolors'
import { writeTextFile } from '../authoring/outputs.js'
import { type CommandRun, ExitCode, type Io } from '../command.js'
import { displayPath } from '../input/find-files.js'
import { createLog } from '../program/log.js'
import { write } from '../program/write.js'
import type { CiSystem } from './command.js'
import { type StarterFile, starterFiles } from './starter-files.js'

type Fate = 'write' | 'overwrite' | 'keep'

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const folder = resolve(io.cwd, (invocation.arguments[0] as string | undefined) ?? '.')
  const ci = (options.ci as CiSystem | undefined) ?? (await usualCi(folder))
  const planned = await plan(starterFiles(ci), folder, options.force === true)
  if (options.dryRun !== true) {
    for (const { file, fate } of planned) if (fate !== 'keep') await writeTextFile(join(folder, file.path), file.text)
  }
  await write(io.stdout, render(planned, folder, options.dryRun === true, io))
  const log = createLog(invocation, io)
  if (planned.some(({ fate }) => fate === 'keep')) log.note('files that exist were kept; --force overwrites them')
  if (options.dryRun === true) return ExitCode.clean
  if (ci === 'gitlab') log.note('add to .gitlab-ci.yml: include: { local: .gitlab/plumbline.yml }')
  log.note('next: plumbline check, plumbline test, plumbline explain plugin-unprivileged')
  return ExitCode.clean
}

async function usualCi(folder: string): Promise<CiSystem> {
  return (await exists(join(folder, '.gitlab-ci.yml'))) ? 'gitlab' : 'github'
}

async function plan(
  files: readonly StarterFile[],
  folder: string,
  force: boolean,
): Promise<{ readonly file: StarterFile; readonly fate: Fate }[]> {
  // Asked before anything is written: the first example must not make the second one look unwanted.
  const planned: { file: StarterFile; fate: Fate }[] = []
  for (const file of files) {
    if (file.unlessFolder !== undefined && (await exists(join(folder, file.unlessFolder)))) continue
    const fate = !(await exists(join(folder, file.path))) ? 'write' : force ? 'overwrite' : 'keep'
    planned.push({ file, fate })
  }
  return planned
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
