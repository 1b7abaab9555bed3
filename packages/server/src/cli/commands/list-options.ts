import type { Invocation } from '../invocation.js'

/** Items that a list shows at most, however many are asked for. */
export const maxListed = 10_000

/** To stderr, so that whoever reads the list is not told of it in the midst. */
export function mentionMore(invocation: Invocation, more: boolean): void {
  if (more) invocation.mention('kron: there are more; --count shows more of them')
}
