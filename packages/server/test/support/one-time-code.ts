import { generateSync } from 'otplib'

/** What an authenticator app shows. Each code is good once, so a second one comes from half a minute later. */
export const oneTimeCode = (secret: string, laterBySeconds = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + laterBySeconds })
