/**
 * Flattens the specifications into what a shell needs: for each command, the words that can come next.
 * INVARIANT: every command and option of the specifications becomes a node here, so a new one completes without more
 * code.
 */
import type { CommandSpec, OptionSpec } from '../command.js'
import { globalOptions } from '../program/global-options.js'
import { optionNames } from '../program/option-names.js'
import { rootOptions } from '../program/parse.js'

export interface CompletionOption {
  /** `-f`, `--format`. */
  readonly words: readonly string[]
  readonly description: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
  /** The kind of record of the server whose names are offered as its value. */
  readonly names: string | null
}

export interface CompletionNode {
  /** Command names from the root, empty at the root. */
  readonly path: readonly string[]
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletionOption[]
  /** Choices of the first argument that has some. Without choices, names of records or files are offered. */
  readonly argumentChoices: readonly string[]
  /** The kind of record of the server whose names are offered. */
  readonly names: string | null
}

const helpOption: OptionSpec = { flags: '-h, --help', description: 'show help' }

export function completionTree(commands: readonly CommandSpec[]): CompletionNode[] {
  const nodes: CompletionNode[] = [
    {
      path: [],
      commands: commands.map(({ name, summary }) => ({ name, summary })),
      options: [...rootOptions, ...globalOptions, helpOption].map(toOption),
      argumentChoices: [],
      names: null,
    },
  ]
  const visit = (spec: CommandSpec, path: readonly string[]) => {
    nodes.push({
      path,
      commands: (spec.subcommands ?? []).map(({ name, summary }) => ({ name, summary })),
      options: [...(spec.options ?? []), ...globalOptions, helpOption].map(toOption),
      argumentChoices: (spec.arguments ?? []).find((argument) => argument.choices)?.choices ?? [],
      names: (spec.arguments ?? []).find((argument) => argument.completes !== undefined)?.completes ?? null,
    })
    for (const child of spec.subcommands ?? []) visit(child, [...path, child.name])
  }
  for (const spec of commands) visit(spec, [spec.name])
  return nodes
}

function toOption(spec: OptionSpec): CompletionOption {
  const { short, long, value } = optionNames(spec)
  return {
    words: short === null ? [long] : [short, long],
    description: spec.description,
    takesValue: value !== null,
    choices: spec.choices ?? [],
    names: spec.completes ?? null,
  }
}
