export { controlPlaneUnavailable, findHelm } from './binaries.ts'
export type { Component, ControlPlane } from './control-plane.ts'
export { startControlPlane } from './control-plane.ts'
export type { ControlPlaneOptions, Flags, PlaneUser } from './flags.ts'
export { controllers } from './flags.ts'
export {
  admin,
  type CommandResult,
  type KubectlOptions,
  PlaneAccess,
  type PlaneAddress,
} from './plane-access.ts'
