import { ConfigurationError } from '@kron/core'

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
