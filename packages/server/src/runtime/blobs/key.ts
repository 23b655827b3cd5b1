/** What a key may look like: safe as a path of a file system and as a name in a bucket, whatever the store. */

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const LENGTH_MAX = 400

/** @throws Error for any other text: keys are the server's own, so this is a bug. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error(`not a key of a blob: ${JSON.stringify(key.slice(0, 100))}`)
}

export const isBlobKey = (key: string): boolean =>
  key.length <= LENGTH_MAX && key.split('/').every((segment) => SEGMENT.test(segment))
