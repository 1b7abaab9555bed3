import { badArgument, type OutputOptions } from '@kron/command'
import { ConfigurationError, quotePath } from '@kron/core'
import type { KronctlInvocation } from '../invocation.js'

/** Which cluster and namespace, as kubectl has the options. */
export interface ClusterOptions extends OutputOptions {
  readonly namespace?: string
  readonly allNamespaces: boolean
  readonly selector?: string
  readonly kubeconfig?: string
  readonly context?: string
}

export interface SourceOptions extends ClusterOptions {
  /** Instead of a cluster. */
  readonly file?: readonly string[]
}

/** A file where names are expected has lost its `-f`. */
export function refuseFilesAsNames(invocation: KronctlInvocation, names: readonly string[]): void {
  const { program, host } = invocation
  const file = names.find((name) => host.files.kindOf(invocation.absolute(name)) === 'file')
  if (file === undefined) return
  const message = `${quotePath(file)} is a file, and files are named with -f`
  throw badArgument('name', message, `hint: ${program} <command> -f ${file}`)
}

const hint = 'hint: -f <file> asks the same of manifests, without a cluster'

/** Where there is no cluster, a command that reads files as well says so. */
export async function orFilesInstead<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const isAboutCluster =
      error instanceof ConfigurationError && error.details.field === 'kubeconfig'
    if (!isAboutCluster) throw error
    throw new ConfigurationError(error.code, error.message, { ...error.details, hint })
  }
}
