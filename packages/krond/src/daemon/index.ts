export { Daemon } from './daemon.js'
export { countingObserver, measureDaemon } from './daemon-metrics.js'
export type { DaemonView, JobPhase, JobView } from './daemon-view.js'
export type { HostJob } from './host-job.js'
export { type LogEvents, logVersion } from './log-events.js'
export type { ReloadSummary } from './reload-plan.js'
export {
  type DaemonOptions,
  defaultOptions,
  nobody,
  type Observer,
  type StateKeeper,
  type World,
} from './world.js'
