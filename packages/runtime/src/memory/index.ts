export { keepMemorySmall } from './keep-memory-small.js'
