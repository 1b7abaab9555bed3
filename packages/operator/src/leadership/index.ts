export { LeaseElector, type LeaseOptions, type LeasePorts, type Term } from './lease-elector.js'
