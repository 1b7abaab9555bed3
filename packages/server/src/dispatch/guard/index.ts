export {
  type AddressGuard,
  type AddressGuardOptions,
  type AddressVerdict,
  createAddressGuard,
} from './address-guard.js'
