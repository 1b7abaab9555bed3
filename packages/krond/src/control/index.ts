export { reloadCommand, type StopOptions, stopCommand } from './control-commands.js'
export {
  type DaemonContact,
  type RunningDaemon,
  sourcesOfDaemon,
  systemContact,
} from './daemon-contact.js'
