/** Answers with a refusal, and keeps evidence of refused changes. */
import { Refusal } from '../errors.js'
import { chosenForm } from '../operation/forms.js'
import { isRecorded } from './denied.js'
import { type Answered, answerHeaders, asRefusal, failure, inPage, toResponse } from './envelope.js'
import { type Exchange, NOBODY, type Served } from './exchange.js'

export async function refuse(served: Served, exchange: Exchange, error: unknown): Promise<Response> {
  const { operation, options, declared, recordDenied } = served
  const { request, principal } = exchange
  let refusal = asRefusal(error)
  if (!(error instanceof Refusal)) options.onError(error, request.requestId)
  else if (options.checkResponses && !declared.has(refusal.code)) {
    const bug = new Error(`${operation.name} refused with ${refusal.code}, which it does not declare`, { cause: error })
    options.onError(bug, request.requestId)
    refusal = asRefusal(bug)
  }
  if (isRecorded(operation, refusal)) {
    try {
      const authority = exchange.authority ?? NOBODY
      const actor = await options.authenticator.actor(principal, authority)
      await recordDenied({ operation, refusal, actor, authority, request })
    } catch (again) {
      options.onError(again, request.requestId)
    }
  }
  return respond(served, exchange, failure(refusal, request.requestId, operation.dialect))
}

export function respond(
  { operation, options }: Served,
  { request, limits, headers: sent }: Exchange,
  rendered: Answered,
): Response {
  const headers = answerHeaders(options, request.requestId)
  limits.addHeaders(headers)
  const page = operation.kind === 'command' ? operation.raw?.page : undefined
  const asPage = page !== undefined && chosenForm({ html: () => '' }, sent.get('accept')) === 'html'
  return toResponse(asPage ? inPage(page, rendered) : rendered, headers)
}
