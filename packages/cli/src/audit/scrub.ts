/** `plumbline audit scrub`: prints the paths and kinds of what would be removed, never the values. */
import { scrub } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument } from '../program/invocation.js'
import { printData } from '../program/print-data.js'
import { readText } from './input.js'
import { printable } from './report-text.js'

export const run: CommandRun = async (invocation, io) => {
  const path = argument(invocation, 0)
  const values = parse(await readText(path, io), path)
  const results = values.map((value) => scrub(nodeCrypto, value))
  const output = results.map(({ details, removed, removedCount }) => ({
    details: details?.value ?? null,
    removed,
    removedCount,
  }))
  const lines: string[] = []
  for (const [index, { details, removed, removedCount }] of results.entries()) {
    const prefix = values.length === 1 ? '' : `${index + 1}: `
    for (const { path: at, kind } of removed)
      lines.push(`${prefix}${kind.padEnd(15)} ${printable(at === '' ? '/' : at)}`)
    if (removedCount > removed.length) lines.push(`${prefix}and ${removedCount - removed.length} more`)
    lines.push(`${prefix}${removedCount} removed; what would be hashed:`, details?.text ?? 'nothing')
  }
  const data = values.length === 1 ? output[0] : output
  await printData(invocation, io, data, () => lines.map((line) => `${line}\n`).join(''))
  return ExitCode.clean
}

function parse(text: string, path: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    // The text is not one JSON value. It may hold one on each line.
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line)
      } catch {
        throw new UsageError(`\`${path}\` is not JSON, nor JSON Lines: line ${index + 1} cannot be parsed`)
      }
    })
}
