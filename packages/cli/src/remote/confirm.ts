/** Asks before something is done that cannot be taken back as it was. */
import { type Invocation, type Io, NotDoneError } from '../command.js'
import { ask, isOnTerminal } from './ask.js'

/** Nobody is there to ask where there is no terminal: a script goes on. */
export async function confirm(question: string, { options }: Invocation, io: Io): Promise<void> {
  if (options['yes'] === true || !isOnTerminal(io)) return
  const answer = await ask(io, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new NotDoneError('nothing was done: the answer was not `y`')
}
