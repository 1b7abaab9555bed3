export { cancelRun } from './cancel-run.js'
export { loadRun } from './load-run.js'
export { replayRun } from './replay-run.js'
