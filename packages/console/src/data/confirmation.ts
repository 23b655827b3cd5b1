/**
 * A confirmation that the identity provider gives in another tab. The tab that comes back from the provider tells the one
 * that asked: after a visit to another site, neither can reach the other as a window.
 */
const CHANNEL = 'plumbline-confirmation'
const PAGE = '/console/confirmed'

interface Told {
  readonly id: string
  readonly token: string
}

/** The address to come back to, for the request with this id. */
export const confirmedAddress = (id: string): string => `${PAGE}?id=${id}`

/** @returns the function that stops to listen. */
export function hearConfirmation(id: string, onToken: (token: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.id === id) onToken(data.token)
  }
  return () => channel.close()
}

/**
 * Tells the token of this page's address to the tab that asked, and removes it from the address.
 *
 * @returns whether the address had one.
 */
export function tellConfirmation(): boolean {
  const id = new URLSearchParams(location.search).get('id')
  const token = new URLSearchParams(location.hash.slice(1)).get('step-up')
  if (id === null || token === null) return false
  history.replaceState(history.state, '', PAGE)
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ id, token } satisfies Told)
  channel.close()
  return true
}
