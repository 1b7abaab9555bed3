export { processSignals, type SignalSource } from '../control/signal-source.js'
export { type Machine, runDaemon } from './daemon-process.js'
export { type Surroundings, stateFolder } from './folders.js'
export { startCommand, thisMachine } from './start-command.js'
export {
  type StartOptions,
  type StartSettings,
  sourcesOf,
  startDefaults,
  startSettings,
} from './start-settings.js'
