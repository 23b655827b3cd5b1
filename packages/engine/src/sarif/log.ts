/** What all SARIF 2.1.0 logs have in common. */

export const SARIF_SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/**
 * A file name as a relative reference (RFC 3986). The colon is escaped too, because it would make the first segment a
 * scheme.
 */
export const fileUri = (file: string): string => file.split('/').map(encodeURIComponent).join('/')
