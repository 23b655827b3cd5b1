/** `plumbline audit checkpoint verify` */
import { checkNote, parseCheckpoint, readManifest } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument, texts } from '../program/invocation.js'
import { printData } from '../program/print-data.js'
import { readCheckpoint } from './input.js'
import { readVerifierKeys } from './keys.js'
import { printable } from './report-text.js'

export const run: CommandRun = async (invocation, io) => {
  const keys = await readVerifierKeys(texts(invocation, 'key'), io)
  const notes = notesOf(await readCheckpoint(argument(invocation, 0), io))
  const results = notes.map((note) => {
    const checkpoint = parseCheckpoint(note)
    if (checkpoint === null)
      return {
        verdict: 'cannot-tell' as const,
        origin: null,
        size: null,
        root: null,
        signedBy: [],
        witnesses: [],
        forged: [],
        unknown: [],
      }
    const { verified, failed, unknown } = checkNote(nodeCrypto, checkpoint.note, keys)
    const signedBy = verified.filter(({ timestamp }) => timestamp === null).map(({ key }) => `${key.name}+${key.id}`)
    const verdict =
      failed.length > 0 ? ('invalid' as const) : signedBy.length > 0 ? ('valid' as const) : ('cannot-tell' as const)
    return {
      verdict,
      origin: checkpoint.origin,
      size: checkpoint.size,
      root: checkpoint.root,
      signedBy,
      witnesses: verified.flatMap(({ key, timestamp }) =>
        timestamp === null ? [] : [{ name: key.name, at: new Date(timestamp * 1000).toISOString() }],
      ),
      forged: failed.map(({ name, id }) => `${name}+${id}`),
      unknown: unknown.map(({ name, id }) => `${name}+${id}`),
    }
  })
  if (results.length === 0) throw new UsageError('there is no checkpoint in this file')
  await printData(invocation, io, results, () => results.map(resultText).join(''))
  if (results.some(({ verdict }) => verdict === 'invalid')) return ExitCode.findings
  return results.every(({ verdict }) => verdict === 'valid') ? ExitCode.clean : ExitCode.notEvaluated
}

/** Takes a bundle or a checkpoint. The first line of a bundle is JSON, and that of a checkpoint never is. */
function notesOf(text: string): readonly string[] {
  if (!text.startsWith('{')) return [text]
  try {
    return readManifest(JSON.parse(text.slice(0, text.indexOf('\n'))))?.checkpoints ?? []
  } catch {
    return [text]
  }
}

function resultText(result: {
  verdict: 'valid' | 'invalid' | 'cannot-tell'
  origin: string | null
  size: number | null
  root: string | null
  signedBy: readonly string[]
  witnesses: readonly { name: string; at: string }[]
  forged: readonly string[]
  unknown: readonly string[]
}): string {
  if (result.origin === null) return 'CANNOT TELL  this is not a checkpoint\n'
  const title = { valid: 'VALID', invalid: 'INVALID', 'cannot-tell': 'CANNOT TELL' }[result.verdict]
  const lines = [`${title}  ${printable(result.origin)} at size ${result.size}`, `  root         ${result.root}`]
  for (const key of result.signedBy) lines.push(`  signed by    ${printable(key)}`)
  for (const { name, at } of result.witnesses) lines.push(`  witnessed    ${printable(name)} at ${at}`)
  for (const key of result.forged)
    lines.push(`  forged       ${printable(key)}: the text is not the one that this key signed`)
  for (const key of result.unknown) lines.push(`  unknown key  ${printable(key)}`)
  if (result.verdict === 'cannot-tell') lines.push('  to do        give the log’s verifier key with --key')
  return `${lines.join('\n')}\n`
}
