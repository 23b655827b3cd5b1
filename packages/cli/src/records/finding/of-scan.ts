/** `plumbline scans findings` */
import type { CommandRun } from '../../command.js'
import { telling } from '../../remote/session.js'
import { showFindings } from './show.js'

export const run: CommandRun = (invocation, io) =>
  telling(() =>
    showFindings(invocation, io, `/compliance/scans/${encodeURIComponent(String(invocation.arguments[0]))}/findings`),
  )
