/** `plumbline audit verify` */

import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type BundleReport, BundleVerifier } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { createProgress } from '../program/progress.js'
import { write } from '../program/write.js'
import { openLines, readCheckpoint } from './input.js'
import { readVerifierKeys } from './keys.js'
import { argument, flag, text, texts } from './options.js'
import { CHAIN_ONLY, reportText } from './report-text.js'

export const run: CommandRun = async (invocation, io) => {
  const checkpoints: string[] = []
  for (const path of texts(invocation, 'checkpoint')) checkpoints.push(await readCheckpoint(path, io))
  const verifier = new BundleVerifier(nodeCrypto, {
    chain: text(invocation, 'chain'),
    checkpoints,
    keys: await readVerifierKeys(texts(invocation, 'key'), io),
    trustOfferedKeys: flag(invocation, 'trustFileKeys'),
  })
  const isServer = flag(invocation, 'server')
  if (isServer && invocation.arguments[0] !== undefined) throw new UsageError('give a file or --server, not both')
  const source = isServer ? { ...io, stdin: await downloadBundle(invocation, io) } : io
  await pushAll(verifier, argument(invocation, 0), source, flag(invocation, 'quiet'))
  const report = verifier.finish()
  const chainOnly = flag(invocation, 'chainOnly')
  const output = flag(invocation, 'json')
    ? `${JSON.stringify(withoutManifest(report), null, 2)}\n`
    : reportText(report, { colour: io.colour, chainOnly })
  await write(io.stdout, output)
  return exitCodeOf(report, chainOnly)
}

export function exitCodeOf(report: BundleReport, chainOnly: boolean): number {
  if (report.verdict === 'valid') return ExitCode.clean
  if (report.verdict === 'invalid') return ExitCode.findings
  return chainOnly && CHAIN_ONLY.has(report.cannotTell ?? '') ? ExitCode.clean : ExitCode.notEvaluated
}

const MEBIBYTE = 1 << 20

/** The server's whole log of the organization: verified here, so that the server's own verdict need not be believed. */
async function downloadBundle(invocation: Invocation, io: Io): Promise<Readable> {
  const { openSession, replyOf, telling } = await import('../remote/session.js')
  return telling(async () => {
    const response = await openSession(invocation, io).fetch('/api/audit/export')
    if (!response.ok) await replyOf(response)
    return Readable.fromWeb(response.body as ReadableStream)
  })
}

/** Feeds a file or stdin to the verifier. */
export async function pushAll(verifier: BundleVerifier, path: string, io: Io, isQuiet: boolean): Promise<void> {
  const { lines, bytesTotal } = openLines(path, io)
  const progress = createProgress(io, 'MiB', isQuiet)
  for await (const { texts: batch, isCut, isTooLong, bytesDone } of lines) {
    for (const line of batch) verifier.pushLine(line, isCut)
    // What is no line of a log is answered like any other line that is not JSON.
    if (isTooLong) verifier.pushLine('{')
    if (bytesTotal !== null) progress.update(Math.floor(bytesDone / MEBIBYTE), Math.ceil(bytesTotal / MEBIBYTE))
  }
  progress.clear()
}

/** The manifest repeats the file; its keys are what a reader of the report needs. */
function withoutManifest({ manifest, ...report }: BundleReport): object {
  return { ...report, fileKeys: manifest?.keys ?? [] }
}
