/**
 * Simulates a person with a browser at a fake provider: types a name, agrees, and is redirected back. For scripts,
 * which have no browser.
 */

const HOPS_MAX = 15

/**
 * @param authorizeUrl the address to which a server sends the browser.
 * @returns the redirect address with the provider's answer; it is not opened here.
 */
export async function signInAs(authorizeUrl: string, name: string): Promise<URL> {
  const { origin } = new URL(authorizeUrl)
  const cookies = new Map<string, string>()
  let next: { url: URL; form?: URLSearchParams } = { url: new URL(authorizeUrl) }
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const { answer, text } = await ask(next.url, next.form, cookies)
    const location = answer.headers.get('location')
    if (location !== null) {
      next = { url: new URL(location, next.url) }
      if (next.url.origin !== origin || next.url.pathname.startsWith('/auth/callback/')) return next.url
    } else next = formIn(next.url, text, name)
  }
  throw new Error('the provider sends in circles')
}

async function ask(url: URL, form: URLSearchParams | undefined, cookies: Map<string, string>) {
  const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  const sent = form === undefined ? {} : { method: 'POST', body: form }
  const answer = await fetch(url, { redirect: 'manual', headers: { cookie }, ...sent })
  for (const each of answer.headers.getSetCookie()) {
    const [pair = ''] = each.split(';')
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  return { answer, text: await answer.text() }
}

/** @throws Error for a page that asks for neither a name nor consent; the page's text is the reason. */
function formIn(url: URL, page: string, name: string): { url: URL; form: URLSearchParams } {
  const [, action] = /action="([^"]+)"/.exec(page) ?? []
  const [, prompt] = /name="prompt" value="([^"]+)"/.exec(page) ?? []
  if (action === undefined || prompt === undefined) throw new Error(`the provider answers: ${page.slice(0, 500)}`)
  const typed: Record<string, string> = prompt === 'login' ? { login: name, password: 'any' } : {}
  return { url: new URL(action, url), form: new URLSearchParams({ prompt, ...typed }) }
}
