export { Controller } from './controller.js'
export {
  type ControllerOptions,
  defaultOptions,
  LeadershipLost,
  type Observer,
  type World,
} from './world.js'
