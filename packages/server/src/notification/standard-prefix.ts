/** Before the Base64 of a key for webhooks, as Standard Webhooks writes it. */
export const STANDARD_PREFIX = 'whsec_'
