import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What is in the folder that `KUBEBUILDER_ASSETS` names. */
export interface Binaries {
  readonly etcd: string
  readonly apiServer: string
  readonly kubectl: string
  /** `setup-envtest` brings none. */
  readonly controllerManager: string | null
}

type Found = { readonly folder: string } | { readonly missing: string }

const variable = 'KUBEBUILDER_ASSETS'
const required = ['etcd', 'kube-apiserver', 'kubectl']

/** The only setting for the folder of the programs; the caller of the tests sets it. */
function search(): Found {
  const folder = process.env[variable]
  if (!folder) return { missing: `${variable} is not set` }
  const absent = required.filter((name) => !existsSync(join(folder, name)))
  if (absent.length === 0) return { folder }
  return { missing: `${variable} names ${folder}, which has no ${absent.join(', no ')}` }
}

/** Why no control plane can be started here, in one line; null when one can. */
export function controlPlaneUnavailable(): string | null {
  const found = search()
  return 'missing' in found ? found.missing : null
}

export function findBinaries(): Binaries {
  const found = search()
  if ('missing' in found) throw new Error(`no control plane can be started: ${found.missing}`)
  const { folder } = found
  return {
    etcd: join(folder, 'etcd'),
    apiServer: join(folder, 'kube-apiserver'),
    kubectl: join(folder, 'kubectl'),
    controllerManager: optional('kube-controller-manager'),
  }
}

/** Of the same folder, where it has one: Helm is no part of a control plane. */
export const findHelm = (): string | null => optional('helm')

function optional(name: string): string | null {
  const folder = process.env[variable]
  const path = folder ? join(folder, name) : null
  return path !== null && existsSync(path) ? path : null
}
