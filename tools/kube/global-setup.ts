import type { TestProject } from 'vitest/node'
import { kronJobCrd } from '../../packages/operator/src/kronjob/crd.ts'
import { controlPlaneUnavailable } from './binaries.ts'
import { offerControlPlane } from './offer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for the one plane of this run; null where there is none, which was said. */
    controlPlaneOffer: string | null
  }
}

/** Says that a run in CI is meant to go without Kubernetes. */
const meantWithout = 'KRON_WITHOUT_KUBERNETES'

export default async function setup(
  project: Pick<TestProject, 'provide'>,
): Promise<() => Promise<void>> {
  const reason = controlPlaneUnavailable()
  if (reason !== null) {
    // A run that is meant to check everything must not pass without a control plane.
    if (process.env['CI'] && !process.env[meantWithout]) {
      throw new Error(`${reason}; ${meantWithout}=1 lets CI pass without Kubernetes`)
    }
    process.stderr.write(`Not tested on Kubernetes: ${reason}\n`)
    project.provide('controlPlaneOffer', null)
    return async () => {}
  }
  const offer = await offerControlPlane({ crds: [kronJobCrd] })
  project.provide('controlPlaneOffer', offer.url)
  return () => offer.close()
}
