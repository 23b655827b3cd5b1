/** `plumbline audit scrub`: paths and kinds of what would be removed, never the values. */
import { scrub } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { write } from '../program/write.js'
import { readText } from './input.js'
import { argument, flag } from './options.js'
import { printable } from './report-text.js'

export const run: CommandRun = async (invocation, io) => {
  const path = argument(invocation, 0)
  const values = parse(await readText(path, io), path)
  const results = values.map((value) => scrub(nodeCrypto, value))
  if (flag(invocation, 'json')) {
    const output = results.map(({ details, removed, removedCount }) => ({
      details: details?.value ?? null,
      removed,
      removedCount,
    }))
    await write(io.stdout, `${JSON.stringify(values.length === 1 ? output[0] : output, null, 2)}\n`)
    return ExitCode.clean
  }
  for (const [index, { details, removed, removedCount }] of results.entries()) {
    const prefix = values.length === 1 ? '' : `${index + 1}: `
    for (const { path: at, kind } of removed)
      await write(io.stdout, `${prefix}${kind.padEnd(15)} ${printable(at === '' ? '/' : at)}\n`)
    if (removedCount > removed.length) await write(io.stdout, `${prefix}and ${removedCount - removed.length} more\n`)
    await write(io.stdout, `${prefix}${removedCount} removed; what would be hashed:\n${details?.text ?? 'nothing'}\n`)
  }
  return ExitCode.clean
}

function parse(text: string, path: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    // Not one JSON value: perhaps one on each line.
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line)
      } catch {
        throw new UsageError(`\`${path}\` is not JSON, nor JSON Lines: line ${index + 1} can not be parsed`)
      }
    })
}
