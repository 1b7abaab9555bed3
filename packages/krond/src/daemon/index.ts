export { Daemon } from './daemon.js'
export { countingObserver, measureDaemon } from './daemon-metrics.js'
export type { DaemonView, JobPhase, JobView } from './daemon-view.js'
export type { HostJob } from './job-record.js'
export { type LogEvents, logVersion } from './log-events.js'
export {
  type DaemonOptions,
  type DaemonPorts,
  defaultOptions,
  nobody,
  type Observer,
  type StateKeeper,
} from './ports.js'
export type { ReloadSummary } from './reload-plan.js'
