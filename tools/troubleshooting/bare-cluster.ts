import { kronJobCrd } from '../../packages/operator/src/kronjob/crd.ts'
import type { ControlPlane } from '../kube/index.ts'
import { controlPlaneUnavailable, type PlaneAccess, startControlPlane } from '../kube/index.ts'
import type { Newcomer } from './newcomer.ts'
import { NotSeenHere } from './not-seen-here.ts'

/** What documentation calls the API server. */
const shownServer = 'https://kube.example:6443'
const guest = 'guest'

let starting: Promise<ControlPlane> | null = null
let withKind: Promise<void> | null = null

/** One API server for all mistakes, started for the first of them. */
function plane(): Promise<ControlPlane> {
  const reason = controlPlaneUnavailable()
  if (reason !== null) throw new NotSeenHere(reason)
  starting ??= startControlPlane({ users: [{ name: guest }], controllerManager: false })
  return starting
}

export async function stopCluster(): Promise<void> {
  await (await starting?.catch(() => null))?.stop()
}

/** Which part of the way to the cluster is wrong. */
export type Access = 'admin' | 'guest' | 'unknown token'

/** A cluster that has never heard of KronJobs. Those that need the kind come later. */
export const toBareCluster =
  (access: Access) =>
  async (ada: Newcomer): Promise<void> => {
    if (withKind !== null) throw new Error('the kind KronJob was installed already')
    putKubeconfig(ada, await plane(), access)
  }

/** The same cluster, with the kind. */
export const toCluster =
  (access: Access) =>
  async (ada: Newcomer): Promise<void> => {
    const cluster = await plane()
    withKind ??= cluster.installCrd(kronJobCrd)
    await withKind
    putKubeconfig(ada, cluster, access)
  }

function putKubeconfig(ada: Newcomer, cluster: PlaneAccess, access: Access): void {
  const text = cluster.kubeconfig(access === 'guest' ? guest : 'admin')
  const { server } = cluster
  ada.replaces(server, shownServer)
  ada.file('.kube/config', spoiled(text, access))
}

function spoiled(text: string, access: Access): string {
  return access === 'unknown token' ? text.replace(/"token": "[^"]*"/, '"token": "expired"') : text
}

/** A kubeconfig of a cluster that nobody is asked about; nothing listens on the port 1. */
export const toNoCluster =
  (server = shownServer) =>
  (ada: Newcomer): void => {
    const cluster = { name: 'kube', cluster: { server } }
    const user = { name: 'ada', user: { token: 'none' } }
    const context = { name: 'test', context: { cluster: 'kube', user: 'ada' } }
    const kinds = { apiVersion: 'v1', kind: 'Config', 'current-context': 'test' }
    const lists = { clusters: [cluster], users: [user], contexts: [context] }
    ada.file('.kube/config', JSON.stringify({ ...kinds, ...lists }))
  }

export const awayServer = 'https://127.0.0.1:1'
