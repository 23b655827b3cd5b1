/** Runs `plumbline schema`. */
import { type CommandRun, ExitCode } from '../command.js'
import { writeAndSay } from '../program/outputs.js'
import type { SchemaKind } from './kinds.js'
import { schemaText } from './schemas.js'

export const run: CommandRun = async (invocation, io) => {
  const kind = (invocation.arguments[0] as SchemaKind | undefined) ?? 'rules'
  await writeAndSay(invocation, io, schemaText(kind))
  return ExitCode.clean
}
