/** `plumbline secrets list` */
import { type CommandRun, ExitCode } from '../../command.js'
import { openSession, telling } from '../../remote/session.js'
import { tenantOf } from '../../remote/tenant.js'
import type { JsonObject } from '../resource.js'
import { showRecords } from '../show.js'

const columns = { name: 'name', plugins: 'plugins', updated: 'updatedAt', by: 'updatedBy' }

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const { id } = await tenantOf(session)
    const path = `/organization/${encodeURIComponent(id)}/secrets`
    const { data } = await session.send<{ secrets: JsonObject[] }>({ method: 'GET', path })
    await showRecords(invocation, io, { records: data.secrets, columns })
    return ExitCode.clean
  })
