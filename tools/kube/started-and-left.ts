/** Starts a plane, prints its folder and processes, and waits to be killed. */
import { startControlPlane } from './control-plane.ts'

const plane = await startControlPlane({ controllerManager: false })
const pids = [plane.pidOf('etcd'), plane.pidOf('kube-apiserver')]
process.stdout.write(`${JSON.stringify({ folder: plane.address.folder, pids })}\n`)
setInterval(() => {}, 60_000)
