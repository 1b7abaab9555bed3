export {
  type AddressGuard,
  type AddressGuardOptions,
  type AddressVerdict,
  createAddressGuard,
} from './address-guard.js'
export { allowRemedy, isLocalReason } from './allow-remedy.js'
export { loopbackRanges } from './special-ranges.js'
