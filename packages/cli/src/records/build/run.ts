/** `plumbline plugins build` */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../../command.js'
import { UUID } from '../../input/uuid.js'
import { flag } from '../../program/invocation.js'
import { printable } from '../../program/printable.js'
import { write } from '../../program/write.js'
import { violationLine } from '../../remote/refusal.js'
import { openSession, replyOf, type Session, telling } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'
import { showRecord } from '../show.js'
import { tellWarnings, upload } from '../upload/upload.js'
import { buildPath, followBuild, printableLines } from './follow.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const isWatched = flag(invocation, 'watch')
    const source = String(invocation.arguments[0])
    const isThere = (await stat(resolve(io.cwd, source)).catch(() => null)) !== null
    if (!isThere && !UUID.test(source)) {
      throw new UsageError(`\`${source}\` is not a file, not a folder and not the id of a build`)
    }
    if (isThere) return uploaded(session, invocation, io)
    if (isWatched) return watched(session, source, invocation, io)
    await showRecord(invocation, io, await buildOf(session, source))
    return ExitCode.clean
  })

async function uploaded(session: Session, invocation: Invocation, io: Io): Promise<ExitCode> {
  const reply = await upload(invocation, io, session)
  const { jobId } = reply.data
  if (!flag(invocation, 'quiet')) await tellWarnings(reply, io)
  if (flag(invocation, 'watch') && typeof jobId === 'string') return watched(session, jobId, invocation, io)
  await showRecord(invocation, io, reply.data)
  if (!flag(invocation, 'quiet') && typeof jobId !== 'string') {
    await write(io.stderr, 'it needs no image, and is ready\n')
  }
  return ExitCode.clean
}

async function watched(session: Session, jobId: string, invocation: Invocation, io: Io): Promise<ExitCode> {
  const isQuiet = flag(invocation, 'quiet')
  const tell = async (text: string) => {
    if (!isQuiet) await write(io.stderr, text)
  }
  await tell(`build ${jobId}\n`)
  const state = await followBuild(session, jobId, {
    log: tell,
    phase: (name) => tell(`── ${printable(name)}\n`),
  })
  const build = await buildOf(session, jobId)
  await showRecord(invocation, io, build)
  if (state === 'completed') {
    await tell(`${named(build)} is ready\n`)
    return ExitCode.clean
  }
  await write(io.stderr, `${named(build)} was not built: ${printableLines(String(build.error ?? state))}\n`)
  const { violations } = build
  for (const violation of Array.isArray(violations) ? violations : []) {
    await write(io.stderr, `  ${violationLine(violation)}\n`)
  }
  return ExitCode.findings
}

const named = ({ pluginName, version }: JsonObject): string => printable(`${pluginName} ${version}`)

async function buildOf(session: Session, jobId: string): Promise<JsonObject> {
  const { data } = await replyOf<{ build: JsonObject }>(await session.fetch(buildPath(jobId)))
  return data.build
}
