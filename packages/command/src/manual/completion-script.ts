import type { Command } from 'commander'
import { bashCompletion } from './bash-completion.js'
import { type CommandOutline, commandOutline } from './command-outline.js'
import { fishCompletion } from './fish-completion.js'
import { zshCompletion } from './zsh-completion.js'

export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]

const scriptFor: Readonly<Record<Shell, (program: CommandOutline) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** Completes subcommands, options, values that are known, and paths; nothing else. */
export function completionScript(program: Command, shell: Shell): string {
  return scriptFor[shell](commandOutline(program))
}
