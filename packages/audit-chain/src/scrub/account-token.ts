/**
 * Cloud account numbers in text (spec billing-audit 23): a run of exactly 12 digits, also grouped `dddd-dddd-dddd`.
 * Adjacent letters and punctuation do not protect a number, so the account part of a resource name is replaced too.
 */
export const REDACTED = '[REDACTED]'

const ACCOUNT_RUN = /(?<![0-9])[0-9]{12}(?![0-9])/g
const GROUPED_ACCOUNT_RUN = /(?<![0-9-])[0-9]{4}-[0-9]{4}-[0-9]{4}(?![0-9-])/g
/** A cheap test that most texts do not pass: is there a run of that length or grouping? */
const CANDIDATE = /[0-9]{12}|[0-9]{4}-[0-9]{4}-[0-9]{4}/

/** Returns the text with each account number replaced; the same text when there is none. */
export function scrubText(text: string): string {
  if (text.length < 12 || !CANDIDATE.test(text)) return text
  return text.replace(ACCOUNT_RUN, REDACTED).replace(GROUPED_ACCOUNT_RUN, REDACTED)
}
