export { defaultWorkerLimits, Worker, type WorkerOptions } from './worker.js'
