import { inject } from 'vitest'
import { PlaneAccess, type PlaneAddress } from './plane-access.ts'

/** For `describe.skipIf`; the reason was said when the run began. */
export const controlPlaneAbsent = (): boolean => inject('controlPlaneOffer') === null

let shared: Promise<PlaneAccess> | undefined

/**
 * The plane that all tests of the run share, with the CRD installed: each test makes itself a
 * namespace in it. A test that breaks a plane starts one of its own.
 */
export function sharedControlPlane(): Promise<PlaneAccess> {
  shared ??= askForIt()
  return shared
}

async function askForIt(): Promise<PlaneAccess> {
  const offer = inject('controlPlaneOffer')
  if (offer === null) throw new Error('there is no control plane here')
  const response = await fetch(offer)
  const text = await response.text()
  if (!response.ok) throw new Error(`the control plane did not start: ${text}`)
  return new PlaneAccess(JSON.parse(text) as PlaneAddress)
}
