export { cancelRun } from './cancel-run.js'
export { readRun } from './load-run.js'
export { replayRun } from './replay-run.js'
