/** The operations on a person's own identity: sign-in, sessions, account, second factor, tokens. */
import type { Operation } from '../runtime/operation/operation.js'
import { changePassword } from './auth/change-password.js'
import { clientCredentials } from './auth/client-credentials.js'
import { forgotPassword } from './auth/forgot-password.js'
import { getJwks } from './auth/get-jwks.js'
import { login } from './auth/login.js'
import { loginLink } from './auth/login-link.js'
import { loginMfa } from './auth/login-mfa.js'
import { logout } from './auth/logout.js'
import { refresh } from './auth/refresh.js'
import { register } from './auth/register.js'
import { resetPassword } from './auth/reset-password.js'
import { restoreEmail } from './auth/restore-email.js'
import { sendVerification } from './auth/send-verification.js'
import { switchOrg } from './auth/switch-org.js'
import { verifyEmail } from './auth/verify-email.js'
import { deleteMe } from './me/delete.js'
import { getMe } from './me/get.js'
import { getPreferences } from './me/get-preferences.js'
import { setPreferences } from './me/set-preferences.js'
import { updateMe } from './me/update.js'
import { confirmTotp } from './mfa/confirm-totp.js'
import { deleteTotp } from './mfa/delete-totp.js'
import { enrollTotp } from './mfa/enroll-totp.js'
import { createPat } from './pat/create.js'
import { listPats } from './pat/list.js'
import { revokePat } from './pat/revoke.js'
import { listSessions } from './session/list.js'
import { revokeSession } from './session/revoke.js'
import { createStepUp } from './step-up/create.js'

export const SIGN_IN_OPERATIONS: readonly Operation[] = [
  register,
  login,
  loginMfa,
  loginLink,
  refresh,
  logout,
  switchOrg,
  listSessions,
  revokeSession,
  getMe,
  updateMe,
  deleteMe,
  getPreferences,
  setPreferences,
  forgotPassword,
  resetPassword,
  changePassword,
  sendVerification,
  verifyEmail,
  restoreEmail,
  createStepUp,
  clientCredentials,
  enrollTotp,
  confirmTotp,
  deleteTotp,
  createPat,
  listPats,
  revokePat,
  getJwks,
]
