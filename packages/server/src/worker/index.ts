export { usualWorkerLimits, Worker, type WorkerOptions } from './worker.js'
