export { type DaemonContact, type RunningDaemon, systemContact } from './daemon-contact.js'
export { sourcesOfDaemon } from './daemon-sources.js'
export { reloadCommand } from './reload-command.js'
export { type StopOptions, stopCommand } from './stop-command.js'
