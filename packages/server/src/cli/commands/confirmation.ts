import { badArgument } from '../argument.js'

export interface Confirmed {
  readonly yes: boolean
}

/** What can't be undone is asked for twice. */
export function confirm({ yes }: Confirmed, consequence: string): void {
  if (!yes) throw badArgument(consequence, 'hint: add --yes if that is what you want')
}
