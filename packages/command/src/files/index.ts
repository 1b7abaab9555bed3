export { decodeUtf8 } from './decode.js'
export type { FileKind, FileSource } from './file-source.js'
export { findFiles, kindOfPath, unreadableBecause } from './find-files.js'
export { systemFiles } from './system-files.js'
