export {
  type AddressGuard,
  type AddressGuardOptions,
  type AddressVerdict,
  allowRemedy,
  createAddressGuard,
  isLocalReason,
} from './address-guard.js'
export { loopbackRanges } from './special-ranges.js'
