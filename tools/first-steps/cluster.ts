import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { controlPlaneUnavailable, startControlPlane } from '../kube/index.ts'

/** A cluster that a newcomer has: `kubectl` is found, and knows where it is. */
export interface Cluster {
  /** The environment with it. */
  env(env: Readonly<Record<string, string>>): Record<string, string>
  stop(): Promise<void>
}

/** null where no control plane can be started. */
export async function cluster(): Promise<Cluster | null> {
  if (controlPlaneUnavailable() !== null) return null
  const plane = await startControlPlane()
  return {
    env(env) {
      const { HOME: home, PATH: path } = env
      mkdirSync(`${home}/.kube`, { recursive: true })
      writeFileSync(`${home}/.kube/config`, plane.kubeconfig(), { mode: 0o600 })
      mkdirSync(`${home}/bin`, { recursive: true })
      symlinkSync(plane.address.kubectl, `${home}/bin/kubectl`)
      return { ...env, PATH: `${home}/bin:${path}` }
    },
    stop: () => plane.stop(),
  }
}
