/**
 * Which passwords are accepted: long enough, of several kinds of characters, not the person's own name, and not one
 * that attackers try first. Source: spec platform 4.5.
 */
import type { FieldIssue } from '../../runtime/errors.js'
import { COMMON_PASSWORDS } from './common-passwords.js'

const LENGTH_MAX = 128

export interface PasswordOwner {
  readonly username: string
  readonly email: string
}

/** Everything that is wrong with the password, with paths for the answer. No message contains the password. */
export function passwordIssues(password: string, owner: PasswordOwner, lengthMin: number, path: string): FieldIssue[] {
  const issues: FieldIssue[] = []
  const report = (message: string, code: string) => void issues.push({ path, message, code })
  const length = [...password].length
  if (length < lengthMin) report(`must have ${lengthMin} characters or more`, 'too_short')
  if (length > LENGTH_MAX) report(`must have at most ${LENGTH_MAX} characters`, 'too_long')
  if (!/\p{Lu}/u.test(password)) report('must have an upper-case letter', 'no_upper')
  if (!/\p{Ll}/u.test(password)) report('must have a lower-case letter', 'no_lower')
  if (!/\p{Nd}/u.test(password)) report('must have a digit', 'no_digit')
  const folded = password.toLowerCase()
  const localPart = owner.email.toLowerCase().split('@')[0]
  if (folded === owner.username.toLowerCase() || folded === localPart || folded === owner.email.toLowerCase()) {
    report('must not be your user name or e-mail address', 'is_name')
  }
  if (COMMON_PASSWORDS.has(folded)) report('is one of the most used passwords', 'common')
  return issues
}
