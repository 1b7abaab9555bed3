import { badArgument } from '@kron/command'
import type { Command } from 'commander'

export interface Confirmed {
  readonly yes: boolean
}

export const withConfirmation = (command: Command): Command =>
  command.option('--yes', 'confirm the deletion', false)

/** What can't be undone has to be confirmed. */
export function confirm({ yes }: Confirmed, consequence: string): void {
  if (!yes) throw badArgument('--yes', consequence, 'hint: add --yes if that is what you want')
}
