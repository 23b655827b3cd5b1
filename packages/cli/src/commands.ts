/** Every command of `plumbline`, in the order in which help lists them. */

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
import { explainCommand } from './explain/command.js'
import { adminCommand, backupCommand, restoreCommand, serveCommand, servicePrincipalsCommand } from './host/command.js'
import { impactCommand } from './impact/command.js'
import { initCommand } from './init/command.js'
import { lintCommand } from './lint/command.js'
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
import { testCommand } from './test/command.js'

export const commands: readonly CommandSpec[] = [
  checkCommand,
  bundleCommand,
  baselineCommand,
  explainCommand,
  testCommand,
  lintCommand,
  impactCommand,
  diffCommand,
  initCommand,
  compileCommand,
  schemaCommand,
  auditCommand,
  billingCommand,
  serveCommand,
  loginCommand,
  logoutCommand,
  whoamiCommand,
  orgsCommand,
  membersCommand,
  inviteCommand,
  tokensCommand,
  ...recordCommands,
  adminCommand,
  servicePrincipalsCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  configCommand,
  completionCommand,
]
