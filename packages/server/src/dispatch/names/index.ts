export { isLoopbackName, loopbackAddresses } from './hosts-file.js'
export type { ResolvedAddress, Resolver, TenantResolver } from './resolver.js'
export { sharedLookUps } from './shared-look-ups.js'
export { type NameFiles, SystemNames } from './system-names.js'
