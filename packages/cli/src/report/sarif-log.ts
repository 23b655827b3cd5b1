/** What every SARIF 2.1.0 log of this command has in common. */

export const sarifSchema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** A relative reference (RFC 3986); the colon is escaped too, where it would make the first segment a scheme. */
export function fileUri(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/')
}
