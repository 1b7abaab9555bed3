export { controlPlaneUnavailable, findHelm } from './binaries.ts'
export type { Component, ControlPlane } from './control-plane.ts'
export { controllers } from './flags.ts'
export type { ControlPlaneOptions, Flags, PlaneUser } from './options.ts'
export {
  admin,
  type CommandResult,
  type KubectlOptions,
  PlaneAccess,
  type PlaneAddress,
} from './plane-access.ts'
export { startControlPlane } from './start.ts'
