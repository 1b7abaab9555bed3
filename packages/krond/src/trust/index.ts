export type { FileFacts } from './file-facts.js'
export { readTrustedCrontabs, readTrustedKrontabs } from './read-trusted-krontabs.js'
export { trustedFiles } from './trusted-files.js'
export { type Distrust, untrustedFolderReason, untrustedReason } from './untrusted-reason.js'
