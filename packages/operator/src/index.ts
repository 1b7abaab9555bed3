export {
  Controller,
  type ControllerOptions,
  type ControllerPorts,
  defaultOptions,
} from './controller/index.js'
export { manualJob, scheduledJob } from './job/index.js'
export * from './kronjob/index.js'
export { type ConnectOptions, connectKube, HttpKubeApi } from './kube/http/index.js'
export * from './kube/index.js'
export { LeaseElector, type Term } from './leadership/lease-elector.js'
export { Operator, type OperatorPorts, type StartSettings } from './start/index.js'
