/** `plumbline audit verify` */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import {
  type AuditRecord,
  addClaim,
  type BundleReport,
  BundleVerifier,
  type CheckLogReport,
  NO_CLAIMS,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { argument, flag, text, texts } from '../program/invocation.js'
import { printData } from '../program/print-data.js'
import { createProgress } from '../program/progress.js'
import { checkLogText, readClaim, verifyCheckLogFile } from './check-log.js'
import { keptLines, type Lines, openLines, readCheckpoint } from './input.js'
import { readVerifierKeys } from './keys.js'
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
  const claiming: AuditRecord[] = []
  await pushAll(verifier, argument(invocation, 0), source, flag(invocation, 'quiet'), (line) => {
    const claim = readClaim(line)
    if (claim !== null) claiming.push(claim)
  })
  const report = verifier.finish()
  const claims = claiming.filter(({ seq }) => isCovered(report, seq)).reduce(addClaim, NO_CLAIMS)
  const chainOnly = flag(invocation, 'chainOnly')
  const chainCode = exitCodeOf(report, chainOnly)
  // If the chain is broken, its seals prove nothing about the check log.
  const asked = report.verdict === 'invalid' ? undefined : checkLogSource(invocation, io, isServer)
  const { manifest } = report
  const isChainPruned = manifest !== null && (manifest.anchor !== null || manifest.from > 1)
  const log =
    asked === undefined ? null : await verifyCheckLogFile(await asked, { claims, chain: report.chain, isChainPruned })
  const data = { ...withoutManifest(report), ...(log === null ? {} : { checkLog: log }) }
  const shown = () =>
    reportText(report, { colour: io.colour, chainOnly }) + (log === null ? '' : checkLogText(log, io.colour))
  await printData(invocation, io, data, shown)
  return log === null ? chainCode : logCodeOf(log, chainCode)
}

/**
 * Whether an event can be believed. Behind the newest checkpoint anybody can append one, also a seal of rows that they
 * invented. Without any checkpoint the verdict already says that nothing can be told.
 */
export const isCovered = ({ coveredThrough }: Pick<BundleReport, 'coveredThrough'>, seq: number): boolean =>
  coveredThrough === 0 || seq <= coveredThrough

/** A finding outweighs a verdict of `cannot-tell`. */
function logCodeOf(log: CheckLogReport, chainCode: number): number {
  if (log.verdict === 'invalid' || chainCode === ExitCode.findings) return ExitCode.findings
  return log.verdict === 'cannot-tell' ? ExitCode.notEvaluated : chainCode
}

/** Undefined unless `--check-log` is given. @throws UsageError if it is given without a file and without `--server`. */
function checkLogSource(invocation: Invocation, io: Io, isServer: boolean): Promise<AsyncIterable<Lines>> | undefined {
  const asked = invocation.options.checkLog
  if (typeof asked === 'string') return Promise.resolve(keptLines(asked, io))
  if (asked !== true) return undefined
  if (!isServer) throw new UsageError('--check-log takes a file', 'or give --server, to download it')
  return downloadFrom(invocation, io, '/compliance/audit/export').then((stdin) => keptLines('-', { ...io, stdin }))
}

export function exitCodeOf(report: BundleReport, chainOnly: boolean): number {
  if (report.verdict === 'valid') return ExitCode.clean
  if (report.verdict === 'invalid') return ExitCode.findings
  return chainOnly && CHAIN_ONLY.has(report.cannotTell ?? '') ? ExitCode.clean : ExitCode.notEvaluated
}

const MEBIBYTE = 1 << 20

/**
 * Downloads the whole log of the organization. It is verified here, so nobody has to trust the server's own verdict.
 */
const downloadBundle = (invocation: Invocation, io: Io): Promise<Readable> =>
  downloadFrom(invocation, io, '/audit/export')

/** The body of a download, as it arrives. @throws the refusal of the server. */
export async function downloadFrom(invocation: Invocation, io: Io, path: string): Promise<Readable> {
  const { openSession, replyOf, telling } = await import('../remote/session.js')
  return telling(async () => {
    const response = await openSession(invocation, io).fetch(path)
    if (!response.ok) await replyOf(response)
    return Readable.fromWeb(response.body as ReadableStream)
  })
}

/** Feeds a file or stdin to the verifier. */
export async function pushAll(
  verifier: BundleVerifier,
  path: string,
  io: Io,
  isQuiet: boolean,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const { lines, bytesTotal } = openLines(path, io)
  const progress = createProgress(io, 'MiB', isQuiet)
  for await (const { texts: batch, isCut, isTooLong, bytesDone } of lines) {
    for (const line of batch) {
      verifier.pushLine(line, isCut)
      onLine(line)
    }
    // Reports the line like any other line that is not JSON.
    if (isTooLong) verifier.pushLine('{')
    if (verifier.isForeign) break
    if (bytesTotal !== null) progress.update(Math.floor(bytesDone / MEBIBYTE), Math.ceil(bytesTotal / MEBIBYTE))
  }
  progress.clear()
}

/** Leaves the manifest out, because it repeats the file. A reader of the report needs only its keys. */
function withoutManifest({ manifest, ...report }: BundleReport): object {
  return { ...report, fileKeys: manifest?.keys ?? [] }
}
