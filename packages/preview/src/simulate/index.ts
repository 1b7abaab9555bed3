export { type SimulateOptions, simulateJobs, simulationRequest } from './simulate-jobs.js'
