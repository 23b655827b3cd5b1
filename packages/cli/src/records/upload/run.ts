/** `plumbline plugins upload` */
import { type CommandRun, ExitCode } from '../../command.js'
import { flag } from '../../program/invocation.js'
import { write } from '../../program/write.js'
import { openSession, telling } from '../../remote/session.js'
import { showRecord } from '../show.js'
import { tellWarnings, upload } from './upload.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const reply = await upload(invocation, io, openSession(invocation, io))
    await showRecord(invocation, io, reply.data)
    if (flag(invocation, 'quiet')) return ExitCode.clean
    await tellWarnings(reply, io)
    if (reply.status === 202) {
      await write(io.stderr, `its build has started: \`plumbline plugins build ${String(reply.data.jobId)} --watch\`\n`)
    }
    return ExitCode.clean
  })
