export { type FileSource, systemFiles } from '@kron/preview'
export type { TextOutput } from '@kron/runtime'
export * from './cli/index.js'
export * from './krontab/index.js'
