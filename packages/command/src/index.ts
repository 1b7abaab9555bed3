export * from './command/index.js'
export * from './files/index.js'
export * from './manual/index.js'
