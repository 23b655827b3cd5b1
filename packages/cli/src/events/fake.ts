/** `plumbline events fake`: an invented history, in the form in which a forge or an engine would deliver it. */
import { type CommandRun, ExitCode } from '../command.js'
import { instantOf } from '../input/instant.js'
import { write } from '../program/write.js'
import { telling } from '../remote/session.js'
import { deliver, receiverOf } from './deliver.js'
import { type FakeFormat, fakeDeliveries } from './fake/deliveries.js'
import { fakeHistory } from './fake/history.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const { options } = invocation
    const text = (name: string, otherwise: string) => (typeof options[name] === 'string' ? options[name] : otherwise)
    const seed = Number(options['seed'] ?? 1)
    const until = Date.parse(instantOf(text('until', io.now().toISOString()), '--until'))
    const runs = fakeHistory({ seed, days: Number(options['days'] ?? 30), untilMs: until })
    const format = String(invocation.arguments[0]) as FakeFormat
    const deliveries = fakeDeliveries(format, runs, { seed, repository: text('repository', 'acme/shop') })
    const receiver = receiverOf(invocation, io)
    if (receiver !== null) return deliver(io, receiver, deliveries)
    for (const delivery of deliveries) await write(io.stdout, `${JSON.stringify(delivery)}\n`)
    return ExitCode.clean
  })
