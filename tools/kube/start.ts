import { findFreePort } from '../postgres/free-port.ts'
import { ControlPlane } from './control-plane.ts'
import type { ControlPlaneOptions } from './options.ts'

const portAttempts = 5

/** etcd, an API server and a controller manager, on free ports of 127.0.0.1. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  for (let attempt = 1; ; attempt++) {
    const ports = { etcd: await findFreePort(), apiServer: await findFreePort() }
    try {
      return await ControlPlane.start(options, ports)
    } catch (error) {
      const isTaken = /address already in use/.test((error as Error).message)
      if (!isTaken || attempt === portAttempts) throw error
    }
  }
}
