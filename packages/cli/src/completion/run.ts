/** Runs `plumbline completion`. */
import { type CommandRun, ExitCode } from '../command.js'
import { write } from '../program/write.js'
import { bashCompletion } from './bash.js'
import { fishCompletion } from './fish.js'
import { completionTree } from './tree.js'
import { zshCompletion } from './zsh.js'

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

export const run: CommandRun = async (invocation, io) => {
  const shell = invocation.arguments[0] as keyof typeof writers
  await write(io.stdout, writers[shell](completionTree(invocation.commands ?? [])))
  return ExitCode.clean
}
