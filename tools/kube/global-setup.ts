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

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const reason = controlPlaneUnavailable()
  if (reason !== null) {
    process.stderr.write(`Not tested on Kubernetes: ${reason}\n`)
    project.provide('controlPlaneOffer', null)
    return async () => {}
  }
  const offer = await offerControlPlane({ crds: [kronJobCrd] })
  project.provide('controlPlaneOffer', offer.url)
  return () => offer.close()
}
