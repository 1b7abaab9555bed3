export { Controller } from './controller.js'
export {
  type ControllerOptions,
  type ControllerPorts,
  defaultOptions,
  type Observer,
} from './ports.js'
