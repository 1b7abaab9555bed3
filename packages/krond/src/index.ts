export { type FileSource, systemFiles } from '@kron/command'
export type { TextOutput } from '@kron/runtime'
export * from './cli/index.js'
export * from './krontab/index.js'
