/** Runs a command once for each Idempotency-Key, and renders its answer in the transaction that makes the change. */
import type { Outcome } from '../operation/context.js'
import { isDryRun } from '../operation/dry-run.js'
import { chosenForm } from '../operation/forms.js'
import type { AnyCommand, Query } from '../operation/operation.js'
import { problems } from '../operation/schema.js'
import { type Answered, asRefusal, failure, type Rendered, success, successInForm } from './envelope.js'
import type { Confirm, Served } from './exchange.js'
import { type Call, type CheckedInput, execute } from './execute.js'
import { type Claim, claim, finish, hold, idempotencyKeyOf, isDefinite, settle } from './idempotency.js'
import type { SentHeaders } from './sent-headers.js'

export async function runCommand(
  served: Served<AnyCommand>,
  call: Call,
  input: CheckedInput,
  headers: SentHeaders,
  confirm: Confirm,
): Promise<Rendered> {
  const { operation } = served
  if (isDryRun(operation, input)) {
    if (operation.access.stepUp !== false) await confirm()
    const { status, body, headers: said } = render(served, await execute(operation, call, input))
    // The tag and the address of a state that is not stored.
    const { etag: _etag, Location: _location, ...kept } = said
    return { status, body, headers: kept }
  }
  const key = idempotencyKeyOf(operation, call.principal, headers)
  if (key === null) {
    if (operation.access.stepUp !== false) await confirm()
    if (operation.settle !== undefined) return render(served, await execute(operation, call, input))
    // Rendered inside the transaction, so that an answer that cannot be rendered leaves no change behind.
    let rendered: Rendered | undefined
    const outcome = await execute(operation, call, input, async (_tx, done) => {
      rendered = render(served, done)
    })
    return rendered ?? render(served, outcome)
  }
  const claimed = await claim(operation, call, input, key, headers.get('x-step-up-token'))
  if ('replayed' in claimed) {
    const { answer, hasSameStepUp, wasConfirmed } = claimed.replayed
    // A retry has the step-up token that the first request used up, or a new one.
    const isOpen = operation.access.stepUpWhen !== undefined
    // guard: a-stored-answer-is-told-to-who-confirms
    if (!hasSameStepUp && !isOpen) await confirm()
    // guard: a-stored-answer-to-a-confirmed-grant-is-told-to-who-confirms
    if (!hasSameStepUp && isOpen && wasConfirmed) {
      const token = headers.get('x-step-up-token')
      await served.options.authenticator.stepUp(call.principal, token, operation.name)
    }
    return answer
  }
  const held = claimed.claim
  try {
    await confirm()
    return await runClaimed(served, call, { ...input, claimKey: held.keyHash }, held)
  } catch (error) {
    const refusal = asRefusal(error)
    await settle(held, isDefinite(refusal) ? failure(refusal, call.request.requestId) : null)
    throw error
  }
}

async function runClaimed(served: Served<AnyCommand>, call: Call, input: CheckedInput, held: Claim): Promise<Rendered> {
  const { operation } = served
  if (operation.settle !== undefined) {
    const outcome = await execute(operation, call, input, (tx) => hold(tx, held, call.runtime.clock.now()))
    const answer = render(served, outcome)
    await held.scope.write((tx) => finish(tx, held, answer))
    return answer
  }
  let rendered: Rendered | undefined
  const outcome = await execute(operation, call, input, async (tx, done) => {
    rendered = render(served, done)
    await finish(tx, held, rendered)
  })
  return rendered ?? render(served, outcome)
}

export function render({ operation, options }: Served<Query | AnyCommand>, outcome: Outcome<unknown>): Rendered {
  if (options.checkResponses) checkResponse(operation, outcome)
  return success(operation, outcome)
}

/** In the form that the client prefers. @param accept the forms that it takes. */
export function renderQuery(
  served: Served<Query>,
  outcome: Outcome<unknown>,
  accept: string | null,
): Answered | Promise<Answered> {
  const { forms } = served.operation
  const form = forms === undefined ? null : chosenForm(forms, accept)
  if (forms === undefined || form === null) return render(served, outcome)
  if (served.options.checkResponses) checkResponse(served.operation, outcome)
  return successInForm(forms, form, outcome)
}

/** @throws Error that names every place where the data does not match the declaration of the operation. */
function checkResponse(operation: Query | AnyCommand, { data, status }: Outcome<unknown>): void {
  if (operation.output === null || (status ?? operation.http.status) === 204) return
  // The answer is JSON, which has no keys without a value.
  const sent = JSON.parse(JSON.stringify(data) ?? 'null') as unknown
  const found = problems(operation.output, sent, '/data')
  if (found.length > 0) {
    const places = found.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw new Error(`${operation.name} answered what its output does not allow: ${places}`)
  }
}
