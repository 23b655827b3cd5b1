/** `plumbline scans watch` */
import type { CommandRun } from '../../command.js'
import { openSession, telling } from '../../remote/session.js'
import { scanColumns } from '../scans.js'
import { showOutcome } from '../show.js'
import { exitOf, followScan, tellBlocked } from './follow.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const scan = await followScan(session, String(invocation.arguments[0]), invocation, io)
    await showOutcome(invocation, io, scan, scanColumns)
    await tellBlocked(scan, invocation, io)
    return exitOf(scan)
  })
