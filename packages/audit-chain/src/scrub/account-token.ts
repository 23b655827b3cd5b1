/**
 * Cloud account numbers in text (spec billing-audit 23): a run of exactly 12 digits, also grouped `dddd-dddd-dddd`. Letters and
 * punctuation around it do not protect it, so the account part of a resource name goes too.
 */
export const REDACTED = '[REDACTED]'

const ACCOUNT_RUN = /(?<![0-9])[0-9]{12}(?![0-9])/g
const GROUPED_ACCOUNT_RUN = /(?<![0-9-])[0-9]{4}-[0-9]{4}-[0-9]{4}(?![0-9-])/g
/** The cheap question that settles almost every text: is there any run that long, or that grouped? */
const CANDIDATE = /[0-9]{12}|[0-9]{4}-[0-9]{4}-[0-9]{4}/

/** The text with each account number replaced; the same text where there is none. */
export function scrubText(text: string): string {
  if (text.length < 12 || !CANDIDATE.test(text)) return text
  return text.replace(ACCOUNT_RUN, REDACTED).replace(GROUPED_ACCOUNT_RUN, REDACTED)
}
