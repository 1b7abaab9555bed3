export { countStarts, maxStarts, type StartCounts } from './count-starts.js'
export {
  maxBuckets,
  type SimulateOptions,
  type SimulationRequest,
  simulateJobs,
  simulationRequest,
} from './simulate-jobs.js'
export { type Simulation, simulationJson, simulationOf } from './simulation.js'
export { svgChart } from './svg-chart.js'
