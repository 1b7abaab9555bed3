import { ControlPlane } from '../../../../tools/kube/control-plane.ts'
import { findFreePort } from '../../../../tools/postgres/free-port.ts'
import { kronJobCrd } from '../../src/kronjob/index.js'
import { JobLedger } from './job-ledger.js'

/** A plane that may be broken, and who keeps the books of its Jobs meanwhile. */
export interface CrashPlane {
  readonly plane: ControlPlane
  readonly ledger: JobLedger
  readonly stop: () => Promise<void>
}

export async function startCrashPlane(): Promise<CrashPlane> {
  const ports = { etcd: await findFreePort(), apiServer: await findFreePort() }
  const options = {
    crds: [kronJobCrd],
    // So that the ledger can read what is stored.
    apiServerFlags: { 'storage-media-type': 'application/json' },
  }
  const plane = await ControlPlane.start(options, ports)
  const ledger = await JobLedger.open(ports.etcd)
  const stop = async (): Promise<void> => {
    await ledger.close()
    await plane.stop()
  }
  return { plane, ledger, stop }
}
