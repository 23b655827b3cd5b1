/** Files of the server, and of the page, that a person saves. */
import { ApiError } from '@plumbline/client'
import { fileAddress, send } from './client.js'

interface Wanted {
  readonly organization: string
  readonly path: string
  readonly accept: string
  /** The file name of the download. */
  readonly name: string
}

/**
 * Downloads a file in a format that is chosen by the `Accept` header. A link cannot send one, so the page reads the
 * file and saves it. @throws the refusal of the server, as for a read.
 */
export async function download({ organization, path, accept, name }: Wanted): Promise<void> {
  const address = new URL(fileAddress(organization, path), location.origin)
  const response = await send(new Request(address, { headers: { accept } }))
  if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
  saveFile(await response.blob(), name)
}

/** Has the browser save a file of the server. If the server refuses, the page stays, and the browser tells. */
export function startDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

/** Saves what the page has as a file of the person. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
