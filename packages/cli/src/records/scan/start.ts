/** `plumbline scans start` */
import { randomUUID } from 'node:crypto'
import { type CommandRun, ExitCode, type Invocation } from '../../command.js'
import { flag, text, texts } from '../../program/invocation.js'
import { write } from '../../program/write.js'
import { openSession, telling } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'
import { scanColumns } from '../scans.js'
import { showOutcome } from '../show.js'
import { exitOf, followScan, type Scan, tellBlocked } from './follow.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const { data } = await session.send<{ scan: Scan }>({
      method: 'POST',
      path: '/compliance/scans',
      body: bodyOf(invocation),
      headers: { 'idempotency-key': randomUUID() },
    })
    const isFollowed = flag(invocation, 'watch')
    const scan = isFollowed ? await followScan(session, data.scan.id, invocation, io) : data.scan
    await showOutcome(invocation, io, scan, scanColumns)
    if (!isFollowed) {
      if (!flag(invocation, 'quiet')) await write(io.stderr, `\`plumbline scans watch ${scan.id}\` follows it\n`)
      return ExitCode.clean
    }
    await tellBlocked(scan, invocation, io)
    return exitOf(scan)
  })

function bodyOf(invocation: Invocation): JsonObject {
  const [name, accessModifier, entityIds] = [
    text(invocation, 'name'),
    text(invocation, 'access'),
    texts(invocation, 'entity'),
  ]
  const filter = {
    ...(name === undefined ? {} : { name }),
    ...(accessModifier === undefined ? {} : { accessModifier }),
    ...(entityIds.length === 0 ? {} : { entityIds }),
  }
  return {
    target: text(invocation, 'target') ?? 'all',
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(flag(invocation, 'dryRun') ? { dryRun: true } : {}),
  }
}
