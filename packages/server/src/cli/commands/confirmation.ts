import { badArgument } from '@kron/command'

export interface Confirmed {
  readonly yes: boolean
}

/** What can't be undone has to be confirmed. */
export function confirm({ yes }: Confirmed, consequence: string): void {
  if (!yes) throw badArgument('--yes', consequence, 'hint: add --yes if that is what you want')
}
