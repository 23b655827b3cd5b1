/** What every SARIF 2.1.0 log has in common. */

export const SARIF_SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** A relative reference (RFC 3986); the colon is escaped too, where it would make the first segment a scheme. */
export const fileUri = (file: string): string => file.split('/').map(encodeURIComponent).join('/')
