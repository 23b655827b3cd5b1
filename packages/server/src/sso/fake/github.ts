/** The part of GitHub that `plumbline sso fake` imitates: OAuth with PKCE, and two requests of its API. */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface FakeGithub {
  /** Answers a request to a path of GitHub. */
  answer(request: IncomingMessage, response: ServerResponse, body: string): void
}

interface Options {
  readonly clientId: string
  readonly clientSecret: string
  readonly isCallback: (address: string) => boolean
  readonly claimsOf: (name: string) => Readonly<Record<string, unknown>>
}

/** The account number, derived from the name only, so that it survives a change of the address. */
const numberOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0) + 1

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const formOf = (flow: string): string =>
  `<!doctype html><title>Sign in</title><form method="post" action="/login/oauth/authorize?flow=${flow}">
<label>Name <input name="login"></label><input type="hidden" name="prompt" value="login"><button type="submit">Sign in</button></form>`

interface Flow {
  readonly state: string
  readonly challenge: string
  readonly redirectUri: string
}

interface Memory extends Options {
  readonly flows: Map<string, Flow>
  readonly codes: Map<string, Flow & { readonly name: string }>
  readonly tokens: Map<string, string>
}

const random = (): string => randomBytes(16).toString('hex')

/** Answers the form that asks for the name. */
function ask({ clientId, isCallback, flows }: Memory, asked: URL, response: ServerResponse): void {
  const of = (name: string) => asked.searchParams.get(name) ?? ''
  const redirectUri = of('redirect_uri')
  if (of('client_id') !== clientId || !URL.canParse(redirectUri) || !isCallback(redirectUri)) {
    json(response, 400, { error: 'client_id or redirect_uri is wrong' })
    return
  }
  const flow = random()
  flows.set(flow, { state: of('state'), challenge: of('code_challenge'), redirectUri })
  response.writeHead(200, { 'content-type': 'text/html' }).end(formOf(flow))
}

function signIn({ flows, codes }: Memory, asked: URL, response: ServerResponse, body: string): void {
  const flow = flows.get(asked.searchParams.get('flow') ?? '')
  if (flow === undefined) {
    json(response, 400, { error: 'the sign-in is over' })
    return
  }
  const code = random()
  codes.set(code, { ...flow, name: new URLSearchParams(body).get('login') ?? '' })
  const back = new URL(flow.redirectUri)
  back.searchParams.set('code', code)
  back.searchParams.set('state', flow.state)
  response.writeHead(303, { location: back.href }).end()
}

function exchange({ clientSecret, codes, tokens }: Memory, response: ServerResponse, body: string): void {
  const form = new URLSearchParams(body)
  const code = form.get('code') ?? ''
  const found = codes.get(code)
  codes.delete(code)
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isRight =
    found !== undefined &&
    found.challenge === challenge &&
    found.redirectUri === form.get('redirect_uri') &&
    form.get('client_secret') === clientSecret
  // GitHub also sends this error with status 200.
  if (!isRight) {
    json(response, 200, { error: 'bad_verification_code' })
    return
  }
  const token = random()
  tokens.set(token, found.name)
  json(response, 200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
}

function tell({ tokens, claimsOf }: Memory, path: string, authorization: string, response: ServerResponse): void {
  const name = tokens.get(authorization.replace(/^bearer /i, ''))
  if (name === undefined) json(response, 401, { message: 'Bad credentials' })
  else if (path === '/user') json(response, 200, { id: numberOf(name), login: name })
  else {
    const { email, email_verified: verified } = claimsOf(name)
    json(response, 200, [{ email, verified, primary: true }])
  }
}

export function createFakeGithub(options: Options): FakeGithub {
  const memory: Memory = { ...options, flows: new Map(), codes: new Map(), tokens: new Map() }
  return {
    answer(request, response, body) {
      const asked = new URL(request.url ?? '/', 'http://fake')
      const { pathname } = asked
      if (pathname === '/login/oauth/authorize') {
        if (request.method === 'POST') signIn(memory, asked, response, body)
        else ask(memory, asked, response)
      } else if (pathname === '/login/oauth/access_token') exchange(memory, response, body)
      else tell(memory, pathname, request.headers.authorization ?? '', response)
    },
  }
}
