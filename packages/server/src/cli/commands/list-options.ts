import { withAlias } from '@kron/command'
import type { Command } from 'commander'
import type { Invocation } from '../invocation.js'

/** Items that a list shows at most, however many are asked for. */
export const maxListed = 10_000

/** How many items are wanted; `--count` is what earlier versions called it. */
export const withLimit = (command: Command, usual: string): Command =>
  withAlias(command.option('-n, --limit <number>', 'how many at most', usual), '--count', '--limit')

/** To stderr, so that it is not in the midst of the list. */
export function mentionMore(invocation: Invocation, more: boolean): void {
  if (more) invocation.note('there are more; --limit shows more of them')
}
