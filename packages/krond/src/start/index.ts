export { processSignals, type SignalSource } from '../control/signal-source.js'
export { runDaemon, type StartPorts } from './daemon-process.js'
export { startCommand, systemPorts } from './start-command.js'
export {
  type StartOptions,
  type StartSettings,
  sourcesOf,
  startDefaults,
  startSettings,
} from './start-settings.js'
