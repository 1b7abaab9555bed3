export { type Machine, runDaemon } from './daemon-process.js'
export { processSignals, type SignalSource } from './signal-source.js'
export { startCommand, thisMachine } from './start-command.js'
export {
  type StartOptions,
  type StartSettings,
  type Surroundings,
  sourcesOf,
  startDefaults,
  startSettings,
  stateFolder,
} from './start-settings.js'
