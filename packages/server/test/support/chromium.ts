/** Where Chromium is. The one without windows draws the same pages in less time. */
import { existsSync } from 'node:fs'

/** `undefined` if none is installed. */
export const chromiumPath: string | undefined = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))
