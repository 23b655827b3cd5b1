/** Uploads a form. Unlike `fetch`, an `XMLHttpRequest` says how many bytes of the body are sent. */

interface Upload {
  readonly form: FormData
  readonly signal: AbortSignal
  /** Called while the body is sent. Both numbers are equal once the server has all of it. */
  readonly onSent: (bytes: number, total: number) => void
}

/** A transport of `apiFor`. It sends this form as the body of each request. */
export const byUpload =
  ({ form, signal, onSent }: Upload) =>
  (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const xhr = new XMLHttpRequest()
      xhr.open(request.method, request.url)
      // The browser adds the boundary of the parts.
      for (const [name, value] of request.headers) if (name !== 'content-type') xhr.setRequestHeader(name, value)
      xhr.upload.onprogress = ({ loaded, total }) => onSent(loaded, total)
      xhr.onload = () => resolve(new Response(xhr.responseText, { status: xhr.status, headers: headersOf(xhr) }))
      xhr.onerror = () => reject(new TypeError('the connection was lost'))
      xhr.onabort = () => reject(signal.reason)
      signal.addEventListener('abort', () => xhr.abort())
      xhr.send(form)
    })

function headersOf(xhr: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of xhr.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
