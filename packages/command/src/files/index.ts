export { decodeUtf8 } from './decode.js'
export { type FileKind, type FileSource, systemFiles } from './file-source.js'
export { findFiles, kindOfPath, unreadableBecause } from './find-files.js'
