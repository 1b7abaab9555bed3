export * from './clock/index.js'
export * from './due-heap/index.js'
export * from './log/index.js'
export * from './metrics/index.js'
