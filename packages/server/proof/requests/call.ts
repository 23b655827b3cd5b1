/** Sends a request to an app of the world, and puts the parts of one together. */
import type { App } from '../../src/app.js'
import type { Operation } from '../../src/runtime/operation/operation.js'
import { PASSWORD, type ProofPrincipal } from '../world/model.js'
import type { FormFile } from './files.js'
import type { Answer, ProofRequest } from './request.js'

export async function send({ http }: App, request: ProofRequest): Promise<Answer> {
  const { method, target, file } = request
  const headers = new Headers(request.headers)
  const body = file === undefined ? request.body : formOf(request.body, file)
  // The form names its own boundary.
  if (body instanceof FormData) headers.delete('content-type')
  const response = await http.fetch(
    new Request(`http://plumbline.test/api${target}`, {
      method,
      headers,
      ...(body === undefined || method === 'GET' ? {} : { body }),
    }),
  )
  let text: string
  try {
    text = await (isEventStream(response) ? firstEvent(response) : response.text())
  } catch (error) {
    // A download that broke off.
    text = String(error)
  }
  return { status: response.status, headers: response.headers, text }
}

function formOf(body: string | undefined, { part, name, type, content }: FormFile): FormData {
  const form = new FormData()
  const fields: unknown = JSON.parse(body ?? '{}')
  if (typeof fields === 'object' && fields !== null) {
    for (const [field, value] of Object.entries(fields)) {
      form.append(field, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    }
  }
  form.append(part, new File([content], name, { type }))
  return form
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** The log of a build that waits says nothing for minutes. */
const SILENCE_MS = 500

/** A stream of events has no end of its own: what it begins with is judged, up to its first event or its first silence. */
async function firstEvent({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  while (!text.includes('data: ')) {
    const part = await Promise.race([reader.read(), silence()])
    if (part === null || part.done) break
    text += Buffer.from(part.value).toString()
  }
  await reader.cancel()
  return text
}

const silence = () => new Promise<null>((resolve) => setTimeout(resolve, SILENCE_MS, null))

/** The path with its parameters, encoded. */
export const pathOf = (operation: Operation, values: Readonly<Record<string, unknown>>): string =>
  operation.http.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encode(String(values[name] ?? '')))

/** As `encodeURIComponent`, also for halves of surrogates, which it refuses; and a dot stays no step upwards. */
export function encode(text: string): string {
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  return encoded === '.' || encoded === '..' ? encoded.replaceAll('.', '%2E') : encoded
}

export function queryOf(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.map(String).join(',') : String(value)
    return `${encode(name)}=${encode(text)}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** A header takes no line breaks and no characters beyond Latin-1: such a value never leaves a client. */
export const headerText = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\xa0-\xff]/g, '?').trim()

/** The header of the caller's credential; none for a caller without one. */
export const credential = (principal: ProofPrincipal | null): Record<string, string> =>
  principal === null || principal.token === '' ? {} : { authorization: `Bearer ${principal.token}` }

/** A fresh confirmation of identity for an operation that wants one; nothing for who cannot give it. */
export async function confirmation(
  app: App,
  operation: Operation,
  principal: ProofPrincipal | null,
): Promise<Record<string, string>> {
  if (operation.access.stepUp === false || principal === null || !principal.canStepUp) return {}
  const { text } = await send(app, {
    method: 'POST',
    target: '/auth/step-up',
    headers: { ...credential(principal), 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'password', password: PASSWORD }),
  })
  const token = (JSON.parse(text) as { data?: { stepUpToken?: string } }).data?.stepUpToken
  return token === undefined ? {} : { 'x-step-up-token': token }
}
