export { type DaemonContact, type RunningDaemon, systemContact } from './daemon-contact.js'
export { reloadCommand } from './reload-command.js'
export { type StopOptions, stopCommand } from './stop-command.js'
