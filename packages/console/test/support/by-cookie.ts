/** A person of the demo in a browser, by a session cookie: for journeys, and for the benchmark. */
import type { APIResponse, BrowserContext, Route } from 'playwright-core'

/** Signs in without a page: the form is what its own journey is about. */
export async function signInAs(
  context: BrowserContext,
  url: string,
  identifier: string,
  password: string,
): Promise<void> {
  const answer = await context.request.post('/api/auth/login?cookie=session', {
    data: { identifier, password },
    // As a page of the server sends them: nobody else gets a session cookie.
    headers: { 'x-csrf': '1', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', origin: url },
  })
  if (!answer.ok()) throw new Error(`sign-in of ${identifier}: ${await answer.text()}`)
}

/**
 * The server's answer to a request of a page. Playwright sends neither the cookie nor what the browser says about the
 * origin of the request; without them the server answers as to a stranger.
 */
export async function answerTo(route: Route, context: BrowserContext): Promise<APIResponse> {
  const cookies = await context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return route.fetch({
    // Playwright asks on a connection that the server may be closing because it was idle; a browser would ask again.
    maxRetries: route.request().method() === 'GET' ? 3 : 0,
    headers: { ...route.request().headers(), cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
  })
}
