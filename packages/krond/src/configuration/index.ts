export { type Configuration, usableConfiguration } from './configuration.js'
export {
  type ConfigurationPorts,
  type ConfigurationSources,
  configurationPorts,
  readConfiguration,
} from './read-configuration.js'
