/** `plumbline plugins build-logs`: prints the log so far, or follows it until the build ends. */
import { type CommandRun, ExitCode } from '../command.js'
import { flag } from '../program/invocation.js'
import { write } from '../program/write.js'
import { openSession, replyOf, telling } from '../remote/session.js'
import { buildPath, followBuild, printableLines } from './build/follow.js'
import { typedAs } from './typed.js'

export const run: CommandRun = (invocation, io) =>
  telling(
    async () => {
      const session = openSession(invocation, io)
      const jobId = String(invocation.arguments[0])
      if (flag(invocation, 'follow')) {
        const state = await followBuild(session, jobId, { log: (text) => write(io.stdout, text) })
        await write(io.stderr, `the build is ${state}\n`)
        return state === 'completed' ? ExitCode.clean : ExitCode.findings
      }
      const response = await session.fetch(`${buildPath(jobId)}/logs`)
      if (!response.ok) await replyOf(response)
      await write(io.stdout, printableLines(await response.text()))
      return ExitCode.clean
    },
    typedAs({ 'path.jobId': '<job>' }),
  )
