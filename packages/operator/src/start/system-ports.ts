import { descriptorOutlet, keepMemorySmall, systemClock } from '@kron/runtime'
import type { StartPorts } from './start-command.js'

/** More than requests at once, so that the lease is renewed whatever else is under way. */
const spareConnections = 8

/** Those of this machine. */
export function systemPorts(): StartPorts {
  const clock = systemClock()
  return {
    clock,
    keepSmall: (isQuietFor, signal) => keepMemorySmall(clock, isQuietFor, signal),
    elapsed: () => performance.now(),
    env: process.env,
    outlet: descriptorOutlet(1, 'kron-operator'),
    pid: process.pid,
    connect: async ({ kubeconfig, context, maxRequests }, observe) => {
      // Loads the HTTP client, which --help and --version do not need.
      const { connectKube } = await import('../kube/http/index.js')
      const connections = maxRequests + spareConnections
      const connection = await connectKube({ kubeconfig, context, connections, observe })
      return { ...connection, close: () => connection.api.close() }
    },
    onStop: (stop) => {
      const signals = ['SIGTERM', 'SIGINT'] as const
      let isStopping = false
      const handle = (): void => {
        // The second signal: somebody has lost patience. The next leader does what is left.
        if (isStopping) process.exit(130)
        isStopping = true
        stop()
      }
      for (const signal of signals) process.on(signal, handle)
      return () => {
        for (const signal of signals) process.off(signal, handle)
      }
    },
  }
}
