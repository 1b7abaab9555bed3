import { badArgument } from '@kron/command'
import { quotePath } from '@kron/core'
import type { KronctlInvocation } from '../invocation.js'

/** A file where names are expected has lost its `-f`. */
export function refuseFilesAsNames(invocation: KronctlInvocation, names: readonly string[]): void {
  const { program, host } = invocation
  const file = names.find((name) => host.files.kindOf(invocation.absolute(name)) === 'file')
  if (file === undefined) return
  const message = `${quotePath(file)} is a file, and files are named with -f`
  throw badArgument('name', message, `hint: ${program} <command> -f ${file}`)
}
