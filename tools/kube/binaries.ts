import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder as `KUBEBUILDER_ASSETS` names one. */
export interface Binaries {
  readonly etcd: string
  readonly apiServer: string
  readonly kubectl: string
  /** `setup-envtest` brings none. */
  readonly controllerManager: string | null
}

type Found = { readonly folder: string } | { readonly missing: string }

const unpack = fileURLToPath(new URL('../../../shared/kube/unpack', import.meta.url))

function search(): Found {
  const named = process.env['KUBEBUILDER_ASSETS']
  if (named) return checked(named, 'the folder of KUBEBUILDER_ASSETS')
  if (!existsSync(unpack)) {
    return { missing: 'KUBEBUILDER_ASSETS names no folder with etcd, kube-apiserver and kubectl' }
  }
  const { status, stdout, stderr, error } = spawnSync(unpack, [], { encoding: 'utf8' })
  if (status === 0) return checked(stdout.trim(), 'the unpacked folder')
  return { missing: `the control plane can't be unpacked: ${error?.message ?? stderr.trim()}` }
}

function checked(folder: string, which: string): Found {
  const absent = ['etcd', 'kube-apiserver', 'kubectl'].filter(
    (name) => !existsSync(join(folder, name)),
  )
  return absent.length === 0 ? { folder } : { missing: `${which} has no ${absent.join(', no ')}` }
}

let found: Found | undefined

/** Why no control plane can be started here, in one line; null when one can. */
export function controlPlaneUnavailable(): string | null {
  found ??= search()
  return 'missing' in found ? found.missing : null
}

export function findBinaries(): Binaries {
  found ??= search()
  if ('missing' in found) throw new Error(`no control plane can be started: ${found.missing}`)
  const { folder } = found
  const controllerManager = join(folder, 'kube-controller-manager')
  return {
    etcd: join(folder, 'etcd'),
    apiServer: join(folder, 'kube-apiserver'),
    kubectl: join(folder, 'kubectl'),
    controllerManager: existsSync(controllerManager) ? controllerManager : null,
  }
}

/** The minor version, such as 20: flags have come and gone. */
export function minorVersionOf({ apiServer }: Binaries): number {
  const { stdout } = spawnSync(apiServer, ['--version'], { encoding: 'utf8' })
  const version = /v1\.(\d+)\./.exec(stdout ?? '')
  if (version === null) throw new Error(`kube-apiserver tells no version: ${stdout}`)
  return Number(version[1])
}
