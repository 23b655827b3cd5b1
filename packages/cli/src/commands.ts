/** Every command of `plumbline`, in groups, in the order in which help lists them. */

import { auditCommand } from './audit/command.js'
import { baselineCommand } from './baseline/command.js'
import { billingCommand } from './billing/command.js'
import { bundleCommand } from './bundle/command.js'
import { checkCommand } from './check/command.js'
import type { CommandSpec } from './command.js'
import { compileCommand } from './compile/command.js'
import { completionCommand } from './completion/command.js'
import { configCommand } from './config/command.js'
import { diffCommand } from './diff/command.js'
import { doctorCommand } from './doctor/command.js'
import { eventsCommand } from './events/command.js'
import { explainCommand } from './explain/command.js'
import {
  adminCommand,
  backupCommand,
  builderCommand,
  registryCommand,
  restoreCommand,
  serveCommand,
  servicePrincipalsCommand,
} from './host/command.js'
import { impactCommand } from './impact/command.js'
import { initCommand } from './init/command.js'
import { lintCommand } from './lint/command.js'
import { withJsonOption } from './program/output-options.js'
import { recordCommands } from './records/commands.js'
import {
  inviteCommand,
  loginCommand,
  logoutCommand,
  membersCommand,
  orgsCommand,
  tokensCommand,
  whoamiCommand,
} from './remote/command.js'
import { schemaCommand } from './schema/command.js'
import { scimCommand } from './scim/command.js'
import { ssoCommand } from './sso/command.js'
import { testCommand } from './test/command.js'

export interface CommandGroup {
  readonly title: string
  /** Name of its page in the reference. */
  readonly page: string
  readonly commands: readonly CommandSpec[]
}

const group = (title: string, page: string, commands: readonly CommandSpec[]): CommandGroup => ({
  title,
  page,
  commands: commands.map(withJsonOption),
})

const record = (name: string): CommandSpec => {
  const found = recordCommands.find((command) => command.name === name)
  if (found === undefined) throw new Error(`no such command: ${name}`)
  return found
}

/** In the order of help and the reference: commands that need no server come first. */
export const commandGroups: readonly CommandGroup[] = [
  group('Check files (no server)', 'check', [initCommand, checkCommand, explainCommand, baselineCommand]),
  group('Write rules (no server)', 'rules', [
    testCommand,
    lintCommand,
    diffCommand,
    impactCommand,
    compileCommand,
    schemaCommand,
  ]),
  group('Sign in to a server', 'sign-in', [
    loginCommand,
    logoutCommand,
    whoamiCommand,
    orgsCommand,
    membersCommand,
    inviteCommand,
    tokensCommand,
    ssoCommand,
    scimCommand,
  ]),
  group(
    'Records on a server',
    'records',
    ['apply', 'pipelines', 'templates', 'plugins', 'secrets', 'images'].map(record),
  ),
  group('Drafts, quotas and messages', 'drafts-quotas-messages', ['ai', 'quotas', 'messages'].map(record)),
  group('Compliance on a server', 'compliance', [
    ...['rules', 'policies', 'catalog', 'subscriptions', 'exemptions', 'scans', 'schedules'].map(record),
    ...['notifications', 'compliance-roles'].map(record),
    bundleCommand,
  ]),
  group('Reports of a server', 'reports', [record('reports'), eventsCommand]),
  group('Audit evidence and billing', 'evidence', [auditCommand, billingCommand]),
  group('Run a server', 'host', [
    serveCommand,
    adminCommand,
    servicePrincipalsCommand,
    builderCommand,
    registryCommand,
    backupCommand,
    restoreCommand,
  ]),
  group('This installation', 'installation', [doctorCommand, configCommand, completionCommand]),
]

export const commands: readonly CommandSpec[] = commandGroups.flatMap((each) => each.commands)
