export type { Configuration } from './configuration.js'
export {
  type ConfigurationReader,
  type ConfigurationSources,
  configurationReader,
  readConfiguration,
} from './read-configuration.js'
export { usableConfiguration } from './usable-configuration.js'
