/** What a person can do about their own identity: sign in, sessions, account, second factor, tokens. */
import type { Operation } from '../runtime/operation/operation.js'
import { login } from './auth/login.js'
import { loginMfa } from './auth/login-mfa.js'
import { register } from './auth/register.js'

export const SIGN_IN_OPERATIONS: readonly Operation[] = [register, login, loginMfa]
