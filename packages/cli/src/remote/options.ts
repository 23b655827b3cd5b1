/** The options of every command that talks to a server. */
import type { OptionSpec } from '../command.js'

export const urlOption: OptionSpec = {
  flags: '--url <address>',
  description: 'the server',
  defaultText: 'PLUMBLINE_URL, or the server of the last `login`',
}

export const orgOption: OptionSpec = {
  flags: '--org <name>',
  description: 'id or slug of the organization',
  completes: 'organizations',
  defaultText: 'PLUMBLINE_ORG, or the one of `login`',
}

export const yesOption: OptionSpec = { flags: '-y, --yes', description: 'do not ask first, on a terminal' }

export const serverOptions: readonly OptionSpec[] = [urlOption, orgOption]

export const noBrowserOption: OptionSpec = {
  flags: '--no-browser',
  description: 'print the address, and open no browser',
}
