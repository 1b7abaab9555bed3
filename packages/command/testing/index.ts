export { memoryFiles } from './memory-files.js'
export { type MemoryOutput, type MemoryOutputOptions, memoryOutput } from './memory-output.js'
