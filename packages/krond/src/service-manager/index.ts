export { type ServiceEnvironment, type ServiceManager, serviceManager } from './service-manager.js'
