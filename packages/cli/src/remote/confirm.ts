/** Asks for confirmation before an action that cannot be undone, or not completely. */
import { type Invocation, type Io, NotDoneError } from '../command.js'
import { ask, isOnTerminal } from './ask.js'

/** Without a terminal there is no prompt, so that a script continues. */
export async function confirm(question: string, { options }: Invocation, io: Io): Promise<void> {
  if (options['yes'] === true || !isOnTerminal(io)) return
  const answer = await ask(io, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new NotDoneError('nothing was done: the answer was not `y`')
}
