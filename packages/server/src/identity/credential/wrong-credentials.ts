/** The same answer for every failed sign-in. */
import { Refusal } from '../../runtime/errors.js'

export const wrongCredentials = (): Refusal =>
  new Refusal('UNAUTHORIZED', 'the identifier or the password is wrong', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_grant"' },
  })
