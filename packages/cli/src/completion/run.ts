/** Runs `plumbline completion`. */
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { text } from '../program/invocation.js'
import { write } from '../program/write.js'
import { bashCompletion } from './bash.js'
import { fishCompletion } from './fish.js'
import { completionTree } from './tree.js'
import { zshCompletion } from './zsh.js'

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

export const run: CommandRun = async (invocation, io) => {
  const kind = text(invocation, 'names')
  if (kind !== undefined) {
    const { recordNames } = await import('./names.js')
    const names = await recordNames(invocation, io, kind).catch(() => [])
    await write(io.stdout, names.map((name) => `${name}\n`).join(''))
    return ExitCode.clean
  }
  const shell = invocation.arguments[0] as keyof typeof writers | undefined
  if (shell === undefined) throw new UsageError('no shell is named', 'write `plumbline completion bash`, zsh or fish')
  await write(io.stdout, writers[shell](completionTree(invocation.commands ?? [])))
  return ExitCode.clean
}
