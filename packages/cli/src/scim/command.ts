/** Specification of `plumbline scim`: directories that synchronize members and groups. */
import type { CommandSpec } from '../command.js'
import { dataOptions, formatOption, outputOption } from '../program/output-options.js'
import { serverOptions, yesOption } from '../remote/options.js'

export const scimCommand: CommandSpec = {
  name: 'scim',
  summary: 'synchronize members and groups from the directory of your identity provider',
  description:
    'For administrators with the permission `org:idp`. The directory calls `<server>/api/scim/v2` with a token.',
  examples: [{ command: 'plumbline scim token create', explanation: 'prints the token to enter at the directory' }],
  subcommands: [
    {
      name: 'token',
      summary: 'make, list and delete the tokens of directories',
      description: 'An organization has at most two: the one in use, and one to replace it.',
      examples: [{ command: 'plumbline scim token list', explanation: 'each with its last use' }],
      subcommands: [
        {
          name: 'create',
          summary: 'make a token, which is shown once',
          options: [
            { flags: '--name <text>', description: 'its name or purpose', defaultText: 'the name of the provider' },
            {
              flags: '--idp <id>',
              description: 'the provider whose directory uses it',
              defaultText: 'the default one',
            },
            {
              flags: '--expires-days <number>',
              description: 'days until it ends',
              integer: { min: 1, max: 730 },
              default: 365,
            },
            formatOption('yaml'),
            outputOption,
            ...serverOptions,
          ],
          examples: [{ command: 'plumbline scim token create --name entra', explanation: 'enter it at the directory' }],
          load: async () => ({ run: (await import('./token.js')).create }),
        },
        {
          name: 'list',
          summary: 'list the tokens',
          options: [...dataOptions, ...serverOptions],
          examples: [{ command: 'plumbline scim token list', explanation: 'never the token itself' }],
          load: async () => ({ run: (await import('./token.js')).list }),
        },
        {
          name: 'delete',
          summary: 'delete a token: its directory has no access any more',
          arguments: [{ syntax: '<token>', description: 'id or name of the token' }],
          options: [yesOption, ...serverOptions],
          examples: [{ command: 'plumbline scim token delete entra', explanation: 'asks first on a terminal' }],
          load: async () => ({ run: (await import('./token.js')).remove }),
        },
      ],
    },
  ],
}
